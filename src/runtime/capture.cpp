#include "runtime/capture.h"

#include <algorithm>

#include "lanewise/graph.h"

namespace lanewise {

namespace detail {
std::atomic<int> open_captures{0};
}

namespace {

struct Postponed {
    std::mutex mutex;
    std::vector<std::function<void()>> calls;
};
/// Never destroyed: buffers may go while the process ends.
Postponed& postponed() {
    static auto* made = new Postponed;
    return *made;
}

void end_one_capture() {
    std::vector<std::function<void()>> calls;
    {
        std::lock_guard lock(postponed().mutex);
        if (detail::open_captures.fetch_sub(1, std::memory_order_relaxed) > 1) return;
        calls.swap(postponed().calls);
    }
    for (const std::function<void()>& call : calls) call();
}

}  // namespace

void run_outside_captures(std::function<void()> f) {
    if (detail::open_captures.load(std::memory_order_relaxed) != 0) {
        std::lock_guard lock(postponed().mutex);
        if (detail::open_captures.load(std::memory_order_relaxed) != 0)
            return postponed().calls.push_back(std::move(f));
    }
    f();
}

std::shared_ptr<Capture> Stream::locked_capture() const {
    std::lock_guard lock(capture_mutex_);
    return capture_;
}

void Stream::set_capture(std::shared_ptr<Capture> capture) {
    {
        std::lock_guard lock(capture_mutex_);
        captured_.store(capture != nullptr, std::memory_order_release);
        capture_.swap(capture);
    }
    // What was swapped out goes after the lock.
}

Error capture_error(CaptureFault fault, const std::string& text) {
    Error error(ErrorKind::Driver, text);
    error.code = static_cast<int>(fault);
    return error;
}

Capture::Capture(Stream& origin)
    : device_(origin.device()), origin_(&origin), memory_(std::make_shared<GraphMemory>(device_)) {
    // While the capture is open the pool asks no stream how far it is.
    device_.pool().collect();
    detail::open_captures.fetch_add(1, std::memory_order_relaxed);
}

Capture::~Capture() {
    close();
    memory_->trim();
}

void Capture::join(const std::shared_ptr<Stream>& stream) {
    std::lock_guard lock(mutex_);
    streams_.push_back(stream);
    blocking_ |= stream->is_blocking();
    stream->set_capture(shared_from_this());
}

void Capture::close() {
    std::vector<std::weak_ptr<Stream>> streams;
    {
        std::lock_guard lock(mutex_);
        if (!std::exchange(open_, false)) return;
        streams.swap(streams_);
    }
    for (const std::weak_ptr<Stream>& weak : streams)
        if (const std::shared_ptr<Stream> stream = weak.lock()) stream->set_capture(nullptr);
    memory_->close();
    end_one_capture();
}

bool Capture::is_open() {
    std::lock_guard lock(mutex_);
    return open_;
}

bool Capture::includes_blocking_stream() {
    std::lock_guard lock(mutex_);
    return blocking_;
}

std::vector<std::shared_ptr<Stream>> Capture::launched_on() {
    std::lock_guard lock(mutex_);
    return launched_on_;
}

void Capture::fail(CaptureFault fault, const std::string& text) {
    {
        std::lock_guard lock(mutex_);
        if (failure_.empty()) failure_ = text;
    }
    throw capture_error(fault, text);
}

void Capture::throw_if_failed() {
    std::lock_guard lock(mutex_);
    if (failure_.empty()) return;
    throw capture_error(CaptureFault::Invalidated,
                        "end_capture: there is no graph, as something was done that cannot be captured: " + failure_);
}

void Capture::keep(std::shared_ptr<const void> what) {
    std::lock_guard lock(mutex_);
    kept_.push_back(std::move(what));
}

void Capture::use(const std::shared_ptr<Buffer>& buffer) {
    std::lock_guard lock(mutex_);
    if (std::find(used_.begin(), used_.end(), buffer) == used_.end()) used_.push_back(buffer);
}

void Capture::note_created(const std::shared_ptr<Buffer>& buffer) {
    std::lock_guard lock(mutex_);
    created_.push_back(buffer);
}

void Capture::add_part(std::shared_ptr<Capture> part) {
    std::lock_guard lock(mutex_);
    parts_.push_back(std::move(part));
}

void Capture::note_launch(const std::shared_ptr<Stream>& stream) {
    {
        std::lock_guard lock(mutex_);
        if (std::find(launched_on_.begin(), launched_on_.end(), stream) != launched_on_.end()) return;
        launched_on_.push_back(stream);
    }
    // Nothing is added to these lists once the graph is made.
    for (const std::shared_ptr<Buffer>& buffer : used_) buffer->used_on(stream);
    for (const std::weak_ptr<Buffer>& created : created_)
        if (const std::shared_ptr<Buffer> buffer = created.lock()) buffer->used_on(stream);
    memory_->used_on(stream);
    for (const std::shared_ptr<Capture>& part : parts_) part->note_launch(stream);
}

void fail_capture_of_default_stream() {
    throw capture_error(CaptureFault::Unsupported,
                        "begin_capture: the legacy default stream cannot be captured; use a stream of your own");
}

void fail_second_capture() {
    throw capture_error(CaptureFault::IllegalState, "begin_capture: the stream is being captured already");
}

void require_origin(const Capture* open, const Stream& stream) {
    if (!open)
        throw capture_error(CaptureFault::IllegalState,
                            "end_capture: the stream is not being captured; begin_capture() comes first");
    if (!open->began_on(stream))
        throw capture_error(CaptureFault::Unmatched,
                            "end_capture: the capture began on another stream, and ends there; this one takes part by "
                            "waiting for an event");
}

void fail_unjoined_capture() {
    throw capture_error(CaptureFault::Unjoined,
                        "end_capture: another stream takes part in the capture, and this stream does not wait for its "
                        "last work; record an event there and wait for it here");
}

void fail_captured_wait(Capture& open, const char* call) {
    open.fail(CaptureFault::Unsupported, std::string("Stream::") + call +
                                             ": the stream is being captured, so that its work does not run before the "
                                             "graph is launched; end the capture first");
}

void fail_captured_event(Capture& open, const char* call) {
    open.fail(CaptureFault::CapturedEvent,
              std::string(call) +
                  ": the event was recorded on a captured stream, so that nothing reaches it before the "
                  "graph is launched; record an event after the launch");
}

void fail_captured_read(Capture& open) {
    open.fail(CaptureFault::Unsupported,
              "copy to the host: the stream is being captured, so that there is nothing to copy before the graph is "
              "launched; copy into page-locked memory, or after the launch");
}

Graph::Graph(std::shared_ptr<Capture> capture) : capture_(std::move(capture)) {}

Graph::~Graph() = default;

Device& Graph::device() const {
    return capture_->device();
}

void Graph::launch(const std::shared_ptr<Stream>& stream) {
    if (&stream->device() != &device())
        throw Error(ErrorKind::Value, "Graph::launch: the graph was captured on " + device().name() +
                                          ", and the stream is of " + stream->device().name());
    if (const std::shared_ptr<Capture> outer = stream->capture()) {
        outer->keep(shared_from_this());
        outer->add_part(capture_);
    } else {
        capture_->note_launch(stream);
    }
    put_on(*stream);
}

}  // namespace lanewise
