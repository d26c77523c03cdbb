"""`lanewise run`: a script, a module or a line of code as `python` would run it, but with the faces in place of the
libraries that they stand for."""

import os
import sys
import types

_USAGE = """usage: lanewise run [--device DEVICE] (SCRIPT | -m MODULE | -c CODE) [ARGUMENT...]

Runs a Python program as python does, with these modules coming from lanewise: cupy, cupyx, numba, pycuda.
Everything after SCRIPT, MODULE or CODE is given to the program.

  --device DEVICE   cpu, cuda or cuda:N; as the environment variable LANEWISE_DEVICE
"""


def run_command(argv):
    """Runs what the command line says; returns the exit status."""
    if argv[:1] == ["--device"] and len(argv) > 1:
        os.environ["LANEWISE_DEVICE"] = argv[1]
        argv = argv[2:]
    elif argv and argv[0].startswith("--device="):
        os.environ["LANEWISE_DEVICE"] = argv[0].partition("=")[2]
        argv = argv[1:]
    if not argv or argv[0] in ("-h", "--help"):
        print(_USAGE, end="", file=sys.stdout if argv else sys.stderr)
        return 0 if argv else 2
    kind, rest = ("script", argv) if not argv[0].startswith("-") else (argv[0], argv[1:])
    if kind not in ("script", "-m", "-c") or not rest:
        print(_USAGE, end="", file=sys.stderr)
        print(f"lanewise run: cannot make sense of {' '.join(argv)}", file=sys.stderr)
        return 2
    from lanewise.compat import faces

    faces.install()
    return {"script": _run_script, "-m": _run_module, "-c": _run_code}[kind](rest[0], rest[1:])


def _new_main(filename):
    """A fresh __main__ module, in place of lanewise's own."""
    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = __builtins__
    if filename is not None:
        main.__file__ = filename
        main.__cached__ = None
    sys.modules["__main__"] = main
    return main


def _run_script(path, arguments):
    if os.path.isdir(path):
        main = os.path.join(path, "__main__.py")
        if not os.path.exists(main):
            print(f"lanewise run: can't find '__main__' module in '{path}'", file=sys.stderr)
            return 1
        folder, path = path, main
    else:
        folder = os.path.dirname(os.path.abspath(path))
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        print(f"lanewise run: can't open file '{path}': [Errno {error.errno}] {error.strerror}", file=sys.stderr)
        return 2
    sys.argv = [path, *arguments]
    sys.path[0] = folder
    absolute = os.path.abspath(path)
    return _execute(lambda: compile(source, absolute, "exec", dont_inherit=True), _new_main(absolute))


def _run_code(code, arguments):
    import linecache

    # The source is kept under a name of its own: kernels are compiled from it.
    filename = "<lanewise -c>"
    text = code if code.endswith("\n") else code + "\n"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    sys.argv = ["-c", *arguments]
    sys.path[0] = ""
    return _execute(lambda: compile(code, filename, "exec", dont_inherit=True), _new_main(None))


def _run_module(name, arguments):
    import runpy

    sys.path[0] = os.getcwd()
    sys.argv = [name, *arguments]
    return _guarded(lambda: runpy.run_module(name, run_name="__main__", alter_sys=True), runpy.__file__)


def _execute(compiled, main):
    return _guarded(lambda: exec(compiled(), main.__dict__))


def _guarded(program, *own_files):
    """Runs the program; an exception is reported as python reports it, without the frames of the files that ran it."""
    try:
        program()
    except SystemExit:
        raise
    except BaseException as error:
        own = {__file__, *own_files}
        traceback = error.__traceback__
        while traceback is not None and _is_own(traceback, own):
            traceback = traceback.tb_next
        sys.excepthook(type(error), error.with_traceback(traceback), traceback)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _is_own(traceback, own):
    filename = traceback.tb_frame.f_code.co_filename
    return filename in own or filename.startswith("<frozen runpy")
