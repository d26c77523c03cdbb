// clock in std::.
#pragma once

namespace std {
using ::clock;
using ::clock_t;
}  // namespace std
