// Capture: what streams share while their work is recorded into a graph, and what the graph keeps of it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lanewise/buffer.h"
#include "lanewise/error.h"
#include "runtime/graph_memory.h"

namespace lanewise {

/// Why work cannot be captured, with the driver's numbers.
enum class CaptureFault : int {
    IllegalState = 401,
    Unsupported = 900,
    Invalidated = 901,
    Merge = 902,
    Unmatched = 903,
    Unjoined = 904,
    Isolation = 905,
    Implicit = 906,
    CapturedEvent = 907,
};
/// An Error(Driver) with the fault's number.
Error capture_error(CaptureFault fault, const std::string& text);

/// Runs `f`, which may ask streams how far they are and wait for them, now, or when no capture is under way any more:
/// such calls would break it.
void run_outside_captures(std::function<void()> f);

/// Open from Stream::begin_capture() to close(); afterwards a part of the graph. Thread-safe.
class Capture : public std::enable_shared_from_this<Capture> {
public:
    /// `origin` is the stream that the capture begins and ends on.
    explicit Capture(Stream& origin);
    virtual ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    Device& device() const { return device_; }
    bool began_on(const Stream& stream) const { return &stream == origin_; }
    /// The stream's work is captured from now on. Not for streams that are captured already.
    void join(const std::shared_ptr<Stream>& stream);
    /// Its streams work again.
    void close();
    bool is_open();
    bool includes_blocking_stream();

    /// Notes that the capture cannot succeed any more, and throws.
    [[noreturn]] void fail(CaptureFault fault, const std::string& text);
    /// Error(Driver) with the first failure.
    void throw_if_failed();

    /// `what` lives as long as the graph.
    void keep(std::shared_ptr<const void> what);
    /// Captured work uses the buffer: it lives as long as the graph, unless it was allocated for the capture.
    void use(const std::shared_ptr<Buffer>& buffer);
    /// Where captured work gets its memory.
    const std::shared_ptr<GraphMemory>& memory() const { return memory_; }
    void note_created(const std::shared_ptr<Buffer>& buffer);
    /// The graph has become a part of the one that is captured here.
    void add_part(std::shared_ptr<Capture> part);

    /// The graph is about to be put on `stream`, which hence uses its memory.
    void note_launch(const std::shared_ptr<Stream>& stream);
    /// The streams that the graph was put on.
    std::vector<std::shared_ptr<Stream>> launched_on();

private:
    Device& device_;
    const Stream* const origin_;
    const std::shared_ptr<GraphMemory> memory_;
    std::mutex mutex_;
    bool open_ = true;
    bool blocking_ = false;
    std::string failure_;
    std::vector<std::weak_ptr<Stream>> streams_;
    std::vector<std::shared_ptr<const void>> kept_;
    std::vector<std::shared_ptr<Buffer>> used_;
    std::vector<std::weak_ptr<Buffer>> created_;
    std::vector<std::shared_ptr<Capture>> parts_;
    std::vector<std::shared_ptr<Stream>> launched_on_;
};

// What every backend refuses.
[[noreturn]] void fail_capture_of_default_stream();
[[noreturn]] void fail_second_capture();
/// end_capture() on `stream`, whose capture is `open` or null.
void require_origin(const Capture* open, const Stream& stream);
/// end_capture() on a stream that other captured streams have not come back to.
[[noreturn]] void fail_unjoined_capture();
/// A wait for captured work, which does not run.
[[noreturn]] void fail_captured_wait(Capture& open, const char* call);
[[noreturn]] void fail_captured_event(Capture& open, const char* call);
/// A copy to memory that is complete when the call returns.
[[noreturn]] void fail_captured_read(Capture& open);

}  // namespace lanewise
