#include "backend/cuda/graph.h"

#include <algorithm>

#include "backend/cuda/context.h"
#include "backend/cuda/module.h"
#include "backend/cuda/raise_watch.h"
#include "backend/cuda/stream.h"
#include "runtime/event_wait.h"

namespace lanewise::cuda {

void CudaCapture::add_raising(std::shared_ptr<CudaKernel> kernel) {
    std::lock_guard lock(mutex_);
    if (std::find(raising_.begin(), raising_.end(), kernel) == raising_.end()) raising_.push_back(std::move(kernel));
}

void CudaCapture::keep_host_call(std::shared_ptr<const void> call) {
    keep(std::move(call));
    has_host_calls_ = true;
}

void CudaCapture::add_child(CudaStream& stream, CudaGraph& part) {
    std::lock_guard lock(mutex_);
    CUgraphNode& last = last_launches_[&part];
    last = part.add_to_capture(stream, last);
}

CudaGraph::CudaGraph(std::shared_ptr<CudaCapture> capture, CUgraph graph)
    : Graph(capture),
      device_(static_cast<CudaDevice&>(capture->device())),
      own_capture_(std::move(capture)),
      graph_(graph) {
    ContextScope scope(device_);
    driver.cuGraphGetNodes(graph, nullptr, &size_);
    driver.cuGraphInstantiateWithFlags(&executable_, graph, 0);
}

CudaGraph::~CudaGraph() {
    try {
        ContextScope scope(device_);
        driver.cuGraphExecDestroy.status(executable_);
        graph_.reset();
    } catch (const Error&) {
        // The driver has shut down or the context is lost: the graph went with it.
        graph_.release();
    }
    // What it keeps goes with the capture: host calls when the driver is through with them.
    if (own_capture_->has_host_calls())
        run_outside_captures([capture = own_capture_] {
            for (const std::shared_ptr<Stream>& stream : capture->launched_on()) wait_for_work(*stream);
        });
}

void CudaGraph::upload(const std::shared_ptr<Stream>& stream) {
    auto* own = dynamic_cast<CudaStream*>(stream.get());
    if (!own || &own->cuda_device() != &device_)
        throw Error(ErrorKind::Value, "Graph::upload: the graph was captured on " + device_.name() +
                                          ", and the stream is of " + stream->device().name());
    ContextScope scope(device_);
    driver.cuGraphUpload(executable_, own->queue());
}

CUgraphNode CudaGraph::add_to_capture(CudaStream& stream, CUgraphNode before) {
    const CUstream queue = stream.queue();
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUgraph outer = nullptr;
    const CUgraphNode* last = nullptr;
    std::size_t count = 0;
    driver.cuStreamGetCaptureInfo(queue, &status, nullptr, &outer, &last, &count);
    if (status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, driver.cuStreamGetCaptureInfo.name());
    std::vector<CUgraphNode> dependencies(last, last + count);
    if (before && std::find(dependencies.begin(), dependencies.end(), before) == dependencies.end())
        dependencies.push_back(before);
    CUgraphNode node = nullptr;
    {
        std::lock_guard lock(mutex_);
        driver.cuGraphAddChildGraphNode(&node, outer, dependencies.data(), dependencies.size(), graph_.get());
    }
    driver.cuStreamUpdateCaptureDependencies(queue, &node, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES);
    return node;
}

void CudaGraph::put_on(Stream& stream) {
    auto& own = static_cast<CudaStream&>(stream);
    ContextScope scope(device_);
    // The driver captures no launches of graphs: they become nodes.
    if (const std::shared_ptr<CudaCapture> outer = own.own_capture())
        outer->add_child(own, *this);
    else if (own.is_capturing())
        add_to_capture(own, nullptr);
    else
        driver.cuGraphLaunch(executable_, own.queue());
    for (const std::shared_ptr<CudaKernel>& kernel : own_capture_->raising()) own.note_raising(*kernel);
}

// The parts of CudaStream that have to do with captures.

std::shared_ptr<CudaCapture> CudaStream::own_capture() const {
    return std::static_pointer_cast<CudaCapture>(capture());
}

bool CudaStream::is_capturing() {
    if (is_captured()) return true;
    ContextScope scope(device_);
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult result = driver.cuStreamIsCapturing.status(queue(), &status);
    // Of the legacy stream the driver does not tell while a blocking stream is captured.
    if (result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) return false;
    if (result != CUDA_SUCCESS) fail(result, driver.cuStreamIsCapturing.name());
    return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void CudaStream::begin_capture(CaptureMode mode) {
    if (kind_ == StreamKind::Null || kind_ == StreamKind::Legacy) fail_capture_of_default_stream();
    if (is_capturing()) fail_second_capture();
    ContextScope scope(device_);
    const auto opened = std::make_shared<CudaCapture>(*this);
    driver.cuStreamBeginCapture(queue(), static_cast<CUstreamCaptureMode>(mode));
    opened->join(shared_from_this());
}

std::shared_ptr<Graph> CudaStream::end_capture() {
    const std::shared_ptr<CudaCapture> open = own_capture();
    require_origin(open.get(), *this);
    ContextScope scope(device_);
    CUgraph graph = nullptr;
    CUresult result = driver.cuStreamEndCapture.status(queue(), &graph);
    // Then the capture goes on.
    if (result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) fail(result, driver.cuStreamEndCapture.name());
    open->close();
    try {
        open->throw_if_failed();
    } catch (...) {
        if (graph) driver.cuGraphDestroy.status(graph);
        throw;
    }
    if (result == CUDA_ERROR_STREAM_CAPTURE_UNJOINED) fail_unjoined_capture();
    if (result != CUDA_SUCCESS) fail(result, driver.cuStreamEndCapture.name());
    return std::make_shared<CudaGraph>(open, graph);
}

void CudaStream::abandon_capture() {
    const std::shared_ptr<CudaCapture> open = own_capture();
    if (!open || !open->began_on(*this)) return;
    CUgraph graph = nullptr;
    driver.cuStreamEndCapture.status(handle_, &graph);
    if (graph) driver.cuGraphDestroy.status(graph);
    open->close();
}

void CudaStream::note_captured(CudaKernel& kernel) {
    const std::shared_ptr<CudaCapture> open = own_capture();
    if (!open) return;
    open->keep(kernel.module());
    if (kernel.entry().can_raise) open->add_raising(kernel.shared_from_this());
}

void CudaStream::note_raising(CudaKernel& kernel) {
    if (const std::shared_ptr<CudaCapture> open = own_capture())
        open->add_raising(kernel.shared_from_this());
    else
        device_.raise_watch().launched(*this, kernel);
}

}  // namespace lanewise::cuda
