// The counters' one instance.
#include "jit/statistics.h"

namespace lanewise::jit {

Statistics& statistics() {
    static Statistics counters;
    return counters;
}

}  // namespace lanewise::jit
