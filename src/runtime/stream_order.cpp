// The order between streams: CUDA's rule for the legacy default stream, and events.
#include "lanewise/device.h"

namespace lanewise {

namespace {

bool is_legacy(const Stream& stream) {
    return stream.kind() == StreamKind::Null || stream.kind() == StreamKind::Legacy;
}

}  // namespace

bool are_ordered(const Stream& a, const Stream& b) {
    if (&a == &b) return true;
    if (&a.device() != &b.device()) return false;
    if (is_legacy(a) || is_legacy(b)) return a.is_blocking() && b.is_blocking();
    // Per-thread streams share a handle without being one queue.
    return a.kind() != StreamKind::PerThread && b.kind() != StreamKind::PerThread && a.handle() == b.handle();
}

void Stream::follow(Stream& earlier) {
    if (are_ordered(*this, earlier)) return;
    // Captured work cannot wait for what is not captured with it, nor may it draw that in.
    if (capture() != earlier.capture() || is_capturing() != earlier.is_capturing()) return;
    const std::shared_ptr<Event> event = earlier.device().create_event(/*timing=*/false);
    earlier.record(*event);
    wait(*event);
}

}  // namespace lanewise
