"""The command `lanewise`: run scripts under the faces, describe the devices, look after the cache."""

import argparse
import sys

from lanewise import __version__


def _parser():
    parser = argparse.ArgumentParser(
        prog="lanewise", description="GPU programming from Python, on GPUs and on the CPU."
    )
    parser.add_argument("--version", action="version", version=f"lanewise {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser(
        "run",
        help="run a script written for another GPU library, unchanged",
        usage="lanewise run [--device DEVICE] (SCRIPT | -m MODULE | -c CODE) [ARGUMENT...]",
        add_help=False,
    )
    commands.add_parser("info", help="describe the devices, the compiler and the cache")
    cache = commands.add_parser("cache", help="where compiled kernels are kept, how much, and clearing it")
    cache.add_argument("action", nargs="?", choices=["path", "size", "clear"], help="by default all facts are printed")
    return parser


def main(argv=None):
    """Runs the command; returns the exit status."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if argv[:1] == ["run"]:
        # What follows the script belongs to the script, so argparse must not see it.
        from lanewise.run import run_command

        return run_command(argv[1:])
    arguments = _parser().parse_args(argv)
    if arguments.command == "info":
        from lanewise.info import print_info

        return print_info()
    return _cache(arguments.action)


def format_size(size):
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def _cache(action):
    from lanewise import _core

    cache = _core.disk_cache()
    if action == "path":
        print(cache.path)
    elif action == "size":
        print(cache.size_bytes())
    elif action == "clear":
        print(f"{format_size(cache.clear())} freed")
    else:
        state = "" if cache.enabled else " (not in use)"
        used, limit = format_size(cache.size_bytes()), format_size(cache.limit_bytes)
        print(f"{cache.path}{state}: {cache.entries()} kernels, {used} of {limit}")
    return 0
