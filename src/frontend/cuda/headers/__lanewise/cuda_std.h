// cuda::std is std.
#pragma once

extern "C++" {
namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
}
