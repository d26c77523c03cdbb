"""What ElementwiseKernel and ReductionKernel have in common."""

from lanewise.expressions import parameters

#: Plans of calls that a kernel remembers: one for each combination of shapes, strides and dtypes.
MAX_PLANS = 256


class Expression:
    """A kernel with declared parameters, compiled for the dtypes and layouts of the arrays it is called with."""

    def __init__(self, in_params, out_params, name, reduce_dims, preamble, options):
        kind = next(cls.__name__ for cls in type(self).__mro__ if cls.__module__.startswith("lanewise.expressions"))
        parameters.check_kernel_name(name, kind)
        self.name = name
        self.__name__ = name
        #: The entry point in the CUDA C++: the name alone could be that of a function of CUDA's, like norm.
        self.entry = f"lanewise_{name}"
        #: How errors name the kernel.
        self.call = f"{kind} '{name}'"
        self.in_params = parameters.parse(in_params, const=True, call=self.call)
        self.out_params = parameters.parse(out_params, const=False, call=self.call)
        self.params = self.in_params + self.out_params
        parameters.check_names(self.params, self.call)
        self.nin, self.nout, self.nargs = len(self.in_params), len(self.out_params), len(self.params)
        self.reduce_dims = reduce_dims
        self.preamble = preamble
        self.options = tuple(options)
        #: The generated CUDA C++, by the dtypes and layouts that it is for.
        self.cached_codes = {}
        self._kernels = {}
        self._plans = {}

    def __repr__(self):
        declared = ", ".join(p.declaration for p in self.in_params)
        made = ", ".join(p.declaration for p in self.out_params)
        return f"<{self.call}: ({declared}) -> ({made})>"

    @property
    def cached_code(self):
        """The CUDA C++ generated first."""
        if not self.cached_codes:
            raise ValueError(f"{self.call}: there is no code before the first call, whose arguments decide the dtypes")
        return next(iter(self.cached_codes.values()))

    def _remember(self, key, plan):
        if len(self._plans) >= MAX_PLANS:
            self._plans.clear()
        self._plans[key] = plan
