// The math functions in namespace std that NVRTC lacks.
#pragma once

namespace std {
using ::fpclassify;
using ::isgreater;
using ::isgreaterequal;
using ::isless;
using ::islessequal;
using ::islessgreater;
using ::isnormal;
using ::isunordered;
using ::nan;
using ::remquo;
using ::scalbln;
}  // namespace std
