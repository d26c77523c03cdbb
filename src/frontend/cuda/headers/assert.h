// assert(), anew at each inclusion, as the standard has it.
#undef assert
#ifdef NDEBUG
#define assert(condition) (static_cast<void>(0))
#else
#define assert(condition) \
    ((condition) ? static_cast<void>(0) : ::__assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#endif
