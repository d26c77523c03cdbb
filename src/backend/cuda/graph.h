// Captures and graphs of a CUDA device.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "backend/cuda/device.h"
#include "lanewise/graph.h"
#include "runtime/capture.h"

namespace lanewise::cuda {

class CudaGraph;
class CudaKernel;
class CudaStream;

class CudaCapture final : public Capture {
public:
    using Capture::Capture;
    /// A captured launch of a kernel that may raise. It has raised nothing yet: the graph's launches are watched.
    void add_raising(std::shared_ptr<CudaKernel> kernel);
    const std::vector<std::shared_ptr<CudaKernel>>& raising() const { return raising_; }
    /// The driver calls it by its address.
    void keep_host_call(std::shared_ptr<const void> call);
    bool has_host_calls() const { return has_host_calls_; }
    /// Captures a launch of `part`, which lives as long as the capture, behind its launch before in this capture: all
    /// its launches use the same memory.
    void add_child(CudaStream& stream, CudaGraph& part);

private:
    std::mutex mutex_;
    std::unordered_map<const CudaGraph*, CUgraphNode> last_launches_;
    std::vector<std::shared_ptr<CudaKernel>> raising_;
    std::atomic<bool> has_host_calls_{false};
};

class CudaGraph final : public Graph {
public:
    /// Takes `graph` over. Error(Driver) when it cannot be instantiated.
    CudaGraph(std::shared_ptr<CudaCapture> capture, CUgraph graph);
    ~CudaGraph() override;

    std::size_t size() const override { return size_; }
    void upload(const std::shared_ptr<Stream>& stream) override;
    /// Puts a copy of the graph on a stream that is being captured, by whomever, behind `before` too unless that is
    /// null.
    CUgraphNode add_to_capture(CudaStream& stream, CUgraphNode before);

private:
    struct Destroy {
        void operator()(CUgraph graph) const { driver.cuGraphDestroy.status(graph); }
    };
    void put_on(Stream& stream) override;

    CudaDevice& device_;
    const std::shared_ptr<CudaCapture> own_capture_;
    std::mutex mutex_;  ///< of graph_, which the driver does not guard
    std::unique_ptr<CUgraph_st, Destroy> graph_;
    CUgraphExec executable_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace lanewise::cuda
