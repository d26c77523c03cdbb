"""cupy.cuda.compiler: what compilers refuse."""

from lanewise.errors import CompileError

#: Raised for kernels that a compiler refuses: `log` has what it printed.
CompileException = JitifyException = CompileError
CompileError.get_message = lambda self: self.log


def _dump(self, f):
    """Writes what the compiler printed to a file object."""
    f.write(self.log)


CompileError.dump = _dump
