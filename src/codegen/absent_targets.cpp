// The initialiser of LLVM targets that are not linked in. LLD initialises all that LLVM was configured with, so the
// link (CMakeLists.txt) gives each absent one this function.
extern "C" __attribute__((used, retain)) void lanewise_absent_target() {}
