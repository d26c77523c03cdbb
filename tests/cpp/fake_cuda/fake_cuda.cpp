#include "fake_cuda.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>

// The handles' types, which the driver keeps to itself.
namespace lanewise::cuda {

struct CUctx_st {
    int ordinal;
    std::map<int, std::size_t> limits{};
    int cache_preference = 0;
    std::set<const CUctx_st*> peers{};
};
struct CUgraphNode_st {
    std::vector<std::function<void()>> operations;
    std::set<CUgraphNode> dependencies;
};
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};
/// Streams that are captured into one graph. `last` has what each stream's next node depends on.
struct Capture {
    CUstream origin;
    bool valid = true;
    std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
    std::map<CUstream, std::set<CUgraphNode>> last{};
    std::vector<CUgraphNode> queried{};
};
struct CUgraphExec_st {
    std::vector<std::function<void()>> operations;
};
struct CUstream_st {
    CUcontext context;
    unsigned flags = 0;
    std::shared_ptr<Capture> capture{};
};
struct CUevent_st {
    bool timing = true;
    bool recorded = false;
    std::uint64_t position = 0;
    std::shared_ptr<Capture> capture{};
    std::set<CUgraphNode> point{};
};
struct CUfunc_st {
    std::string name;
    CUmodule module;
    unsigned parameter_bytes = 0;
    int static_shared = 0, max_dynamic = 0, carveout = -1, large_clusters = 0;
    std::vector<unsigned> parameter_sizes{};
};
struct CUmod_st {
    std::map<std::string, CUfunc_st> functions;
    std::map<std::string, std::vector<std::uint64_t>> globals;
    std::map<std::string, std::size_t> global_bytes;
};
struct CUlinkState_st {
    std::string cubin;
    std::map<int, void*> options;
};

}  // namespace lanewise::cuda

namespace fake_cuda {

using namespace lanewise::cuda;

namespace {

constexpr int default_shared = 49152, optin_shared = 232448;

struct Block {
    std::size_t bytes = 0;
    unsigned type = CU_MEMORYTYPE_DEVICE;
    bool managed = false;
    int ordinal = 0;
    bool owned = true;
    int file = -1;  ///< device memory: what another process maps to share it
    bool opened = false;
};

struct Operation {
    std::function<void()> run;
};

struct State {
    std::recursive_mutex mutex;
    Settings settings;
    std::vector<std::string> calls;
    std::map<std::uintptr_t, Block> blocks;
    std::size_t device_bytes = 0;
    std::deque<Operation> queue;
    std::uint64_t issued = 0, done = 0;
    std::map<int, std::size_t> link_options;
    std::vector<std::string> linked_libraries;
    CUctx_st contexts[8] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}};
    CUctx_st foreign{0};
    std::vector<std::shared_ptr<Capture>> captures;
    std::size_t graphs = 0;
    bool profiling = false;
};

State& state() {
    static auto* state = new State;
    return *state;
}

thread_local CUcontext current = nullptr;
thread_local bool in_host_function = false;
thread_local CUstreamCaptureMode capture_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

void run_until(std::uint64_t position) {
    State& s = state();
    while (s.done < position && !s.queue.empty()) {
        Operation operation = std::move(s.queue.front());
        s.queue.pop_front();
        ++s.done;
        if (s.settings.fault == CUDA_SUCCESS) operation.run();
    }
}

/// What the stream's work goes to, or none. The default streams are not captured here.
Capture* capture_of(CUstream stream) {
    return reinterpret_cast<std::uintptr_t>(stream) > CU_STREAM_PER_THREAD ? stream->capture.get() : nullptr;
}

/// The nodes, and all that they come after.
std::set<CUgraphNode> with_ancestors(std::set<CUgraphNode> nodes) {
    std::vector<CUgraphNode> unseen(nodes.begin(), nodes.end());
    while (!unseen.empty()) {
        const CUgraphNode node = unseen.back();
        unseen.pop_back();
        for (CUgraphNode before : node->dependencies)
            if (nodes.insert(before).second) unseen.push_back(before);
    }
    return nodes;
}

/// The graph's work in an order that its dependencies allow. Of the nodes whose turn it may be the one added last comes
/// first, so that a dependency that is missing shows.
std::vector<std::function<void()>> ordered_operations(const CUgraph_st& graph) {
    std::vector<std::function<void()>> operations;
    std::set<CUgraphNode> taken;
    while (taken.size() < graph.nodes.size()) {
        for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
            const std::set<CUgraphNode>& before = (*node)->dependencies;
            if (taken.contains(node->get()) ||
                !std::all_of(before.begin(), before.end(), [&](CUgraphNode one) { return taken.contains(one); }))
                continue;
            taken.insert(node->get());
            operations.insert(operations.end(), (*node)->operations.begin(), (*node)->operations.end());
            break;
        }
    }
    return operations;
}

void enqueue(CUstream stream, std::function<void()> run) {
    if (Capture* capture = capture_of(stream)) {
        std::set<CUgraphNode>& last = capture->last[stream];
        capture->graph->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{{std::move(run)}, last}));
        last = {capture->graph->nodes.back().get()};
        return;
    }
    state().queue.push_back({std::move(run)});
    ++state().issued;
}

/// The start of every function: counts the call, and gives the result it is told to fail with.
class Call {
public:
    explicit Call(const char* name, bool needs_context = false) : lock_(state().mutex) {
        State& s = state();
        s.calls.push_back(name);
        auto failure = s.settings.failures.find(name);
        if (failure != s.settings.failures.end())
            result = failure->second;
        else if (in_host_function)
            result = CUresult(800);
        else if (needs_context && s.settings.fault != CUDA_SUCCESS)
            result = s.settings.fault;
        else if (needs_context && !current)
            result = CUDA_ERROR_INVALID_CONTEXT;
    }
    CUresult result = CUDA_SUCCESS;

private:
    std::lock_guard<std::recursive_mutex> lock_;
};

#define BEGIN(symbol)   \
    Call call(#symbol); \
    if (call.result != CUDA_SUCCESS) return call.result;
#define BEGIN_IN_CONTEXT(symbol) \
    Call call(#symbol, true);    \
    if (call.result != CUDA_SUCCESS) return call.result;

/// What a call gives that stricter modes than relaxed forbid while a stream is captured.
CUresult refuse_during_captures() {
    if (state().captures.empty() || capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
    for (auto& capture : state().captures) capture->valid = false;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

/// The block that [address, address + bytes) lies in, or none.
Block* find(CUdeviceptr address, std::size_t bytes = 1) {
    auto& blocks = state().blocks;
    auto next = blocks.upper_bound(address);
    if (next == blocks.begin()) return nullptr;
    --next;
    return address + bytes <= next->first + next->second.bytes ? &next->second : nullptr;
}

CUresult result_of_waiting() {
    return state().settings.fault;
}

CUresult enqueue_memset(CUstream stream, CUdeviceptr at, std::size_t pitch, std::uint64_t pattern, std::size_t width,
                        std::size_t rows) {
    if (rows == 0) return CUDA_SUCCESS;
    if (at % width != 0 || !find(at, (rows - 1) * pitch + width)) return CUDA_ERROR_INVALID_VALUE;
    enqueue(stream, [=] {
        for (std::size_t i = 0; i < rows; ++i) std::memcpy(reinterpret_cast<void*>(at + i * pitch), &pattern, width);
    });
    return CUDA_SUCCESS;
}

CUresult enqueue_launch(CUfunction f, Launch launch, void** extra) {
    std::uint64_t threads = std::uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
    if (threads == 0 || launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (threads > 1024 || launch.block[2] > 64) return CUDA_ERROR_INVALID_VALUE;
    if (int(launch.shared_bytes) > f->max_dynamic) return CUDA_ERROR_INVALID_VALUE;
    if (launch.cooperative && launch.grid[0] > 132 * 2) return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    std::uint64_t cluster = std::uint64_t(launch.cluster[0]) * launch.cluster[1] * launch.cluster[2];
    if (cluster > 16 || (cluster > 8 && !f->large_clusters)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (f->name == "hungry" && threads > 512) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    std::size_t bytes = 0;
    const void* buffer = nullptr;
    for (; extra && *extra; extra += 2) {
        if (*extra == reinterpret_cast<void*>(CU_LAUNCH_PARAM_BUFFER_POINTER)) buffer = extra[1];
        if (*extra == reinterpret_cast<void*>(CU_LAUNCH_PARAM_BUFFER_SIZE))
            bytes = *static_cast<std::size_t*>(extra[1]);
    }
    if (bytes != f->parameter_bytes) return CUDA_ERROR_INVALID_VALUE;
    auto* first = static_cast<const std::byte*>(buffer);
    launch.parameters.assign(first, first + bytes);
    launch.kernel = f->name;
    launch.global = [f](const std::string& name) -> void* { return f->module->globals.at(name).data(); };
    enqueue(launch.stream, [launch] {
        auto& kernels = state().settings.kernels;
        auto kernel = kernels.find(launch.kernel);
        if (kernel == kernels.end()) return;
        if (CUresult result = kernel->second(launch)) state().settings.fault = result;
    });
    return CUDA_SUCCESS;
}

CUresult write_log(const std::map<int, void*>& options, const std::string& text) {
    auto buffer = options.find(CU_JIT_ERROR_LOG_BUFFER), size = options.find(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
    if (buffer != options.end() && size != options.end()) {
        auto* out = static_cast<char*>(buffer->second);
        std::size_t room = reinterpret_cast<std::uintptr_t>(size->second);
        std::snprintf(out, room, "%s", text.c_str());
    }
    return CUDA_ERROR_INVALID_PTX;
}

std::map<int, void*> option_map(unsigned count, CUjit_option* options, void** values) {
    std::map<int, void*> map;
    for (unsigned i = 0; i < count; ++i) map[options[i]] = values[i];
    return map;
}

/// The line of the first item that is none, 0 when all are right.
int bad_line(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (line.empty() || line == "cubin" || line.starts_with("kernel ") || line.starts_with("global ") ||
            line.starts_with(".") || line.starts_with("{") || line.starts_with("}") || line.starts_with(" "))
            continue;
        return number;
    }
    return 0;
}

}  // namespace

Settings& settings() {
    return state().settings;
}
std::vector<std::string> take_calls() {
    std::lock_guard lock(state().mutex);
    return std::exchange(state().calls, {});
}
std::vector<std::string> take_linked_libraries() {
    return std::exchange(state().linked_libraries, {});
}
std::map<int, std::size_t> link_options() {
    std::lock_guard lock(state().mutex);
    return state().link_options;
}
std::size_t pending() {
    std::lock_guard lock(state().mutex);
    return state().queue.size();
}
std::size_t live_allocations() {
    std::lock_guard lock(state().mutex);
    return state().blocks.size();
}
CUcontext current_context() {
    return current;
}
void set_current_context(CUcontext context) {
    current = context;
}
std::size_t live_graphs() {
    return state().graphs;
}
bool is_profiling() {
    return state().profiling;
}
CUcontext foreign_context() {
    return &state().foreign;
}

}  // namespace fake_cuda

namespace lanewise::cuda {

using namespace fake_cuda;

extern "C" {

FAKE_CUDA_EXPORT CUresult cuInit(unsigned) {
    BEGIN(cuInit)
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuDriverGetVersion(int* version) {
    BEGIN(cuDriverGetVersion)
    *version = settings().version;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGetErrorName(CUresult error, const char** name) {
    *name = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : error == CUDA_ERROR_INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
            : error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == CUDA_ERROR_NO_DEVICE     ? "CUDA_ERROR_NO_DEVICE"
            : error == CUDA_ERROR_INVALID_PTX   ? "CUDA_ERROR_INVALID_PTX"
                                                : "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGetErrorString(CUresult, const char** text) {
    *text = "text of the fake driver";
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuDeviceGetCount(int* count) {
    BEGIN(cuDeviceGetCount)
    *count = settings().devices;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    BEGIN(cuDeviceGet)
    *device = ordinal;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
    BEGIN(cuDeviceGetName)
    std::snprintf(name, std::size_t(size), "Fake GPU %d", device);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
    BEGIN(cuDeviceGetUuid_v2)
    std::memset(uuid->bytes, device + 1, sizeof uuid->bytes);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
    BEGIN(cuDeviceGetAttribute)
    static const std::map<int, int> values = {
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, default_shared},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, optin_shared},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
    };
    auto known = values.find(which);
    *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? settings().compute_major
             : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? settings().compute_minor
             : known != values.end()                                 ? known->second
                                                                     : 0;
    return CUDA_SUCCESS;
}

FAKE_CUDA_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    BEGIN(cuDevicePrimaryCtxRetain)
    *context = &state().contexts[device];
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuCtxGetCurrent(CUcontext* context) {
    BEGIN(cuCtxGetCurrent)
    *context = current;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
    BEGIN(cuCtxSetCurrent)
    current = context;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuCtxSynchronize() {
    BEGIN_IN_CONTEXT(cuCtxSynchronize)
    run_until(state().issued);
    return result_of_waiting();
}
FAKE_CUDA_EXPORT CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    BEGIN_IN_CONTEXT(cuCtxGetStreamPriorityRange)
    *least = 0, *greatest = -5;
    return CUDA_SUCCESS;
}

FAKE_CUDA_EXPORT CUresult cuCtxGetApiVersion(CUcontext, unsigned* version) {
    BEGIN(cuCtxGetApiVersion)
    *version = 3020;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
    BEGIN_IN_CONTEXT(cuCtxGetLimit)
    if (limit < 0 || limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = current->limits.contains(limit) ? current->limits[limit] : 1024;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
    BEGIN_IN_CONTEXT(cuCtxSetLimit)
    if (limit < 0 || limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    current->limits[limit] = value;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuCtxGetCacheConfig(CUfunc_cache* preference) {
    BEGIN_IN_CONTEXT(cuCtxGetCacheConfig)
    *preference = CUfunc_cache(current->cache_preference);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuCtxSetCacheConfig(CUfunc_cache preference) {
    BEGIN_IN_CONTEXT(cuCtxSetCacheConfig)
    current->cache_preference = preference;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuDeviceCanAccessPeer(int* possible, CUdevice device, CUdevice peer) {
    BEGIN(cuDeviceCanAccessPeer)
    *possible = device != peer;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    BEGIN_IN_CONTEXT(cuCtxEnablePeerAccess)
    if (flags != 0 || peer == current) return CUDA_ERROR_INVALID_VALUE;
    return current->peers.insert(peer).second ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}
FAKE_CUDA_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peer) {
    BEGIN_IN_CONTEXT(cuCtxDisablePeerAccess)
    return current->peers.erase(peer) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
FAKE_CUDA_EXPORT CUresult cuProfilerStart() {
    BEGIN_IN_CONTEXT(cuProfilerStart)
    state().profiling = true;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuProfilerStop() {
    BEGIN_IN_CONTEXT(cuProfilerStop)
    state().profiling = false;
    return CUDA_SUCCESS;
}

FAKE_CUDA_EXPORT CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    BEGIN_IN_CONTEXT(cuMemGetInfo_v2)
    *total = settings().memory_bytes;
    *free = settings().memory_bytes - state().device_bytes;
    return CUDA_SUCCESS;
}
static void* add_block(std::size_t bytes, Block block) {
    void* memory = std::aligned_alloc(512, (bytes + 511) & ~std::size_t(511));
    block.bytes = bytes;
    block.ordinal = current->ordinal;
    state().blocks[reinterpret_cast<std::uintptr_t>(memory)] = block;
    return memory;
}
static void* map_file(int file, std::size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}
FAKE_CUDA_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* pointer, std::size_t bytes) {
    BEGIN_IN_CONTEXT(cuMemAlloc_v2)
    if (CUresult result = refuse_during_captures()) return result;
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (state().device_bytes + bytes > settings().memory_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
    Block block{.bytes = bytes, .ordinal = current->ordinal, .file = memfd_create("fake_cuda", MFD_CLOEXEC)};
    void* memory = ftruncate(block.file, off_t(bytes)) == 0 ? map_file(block.file, bytes) : MAP_FAILED;
    if (memory == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
    state().device_bytes += bytes;
    *pointer = reinterpret_cast<std::uintptr_t>(memory);
    state().blocks[*pointer] = block;
    return CUDA_SUCCESS;
}
static CUresult remove_block(CUdeviceptr pointer, bool host) {
    auto block = state().blocks.find(pointer);
    if (block == state().blocks.end() || (block->second.type == CU_MEMORYTYPE_HOST) != host)
        return CUDA_ERROR_INVALID_VALUE;
    run_until(state().issued);
    if (!host && !block->second.managed) state().device_bytes -= block->second.bytes;
    if (block->second.file >= 0) {
        munmap(reinterpret_cast<void*>(pointer), block->second.bytes);
        close(block->second.file);
    } else if (block->second.owned) {
        std::free(reinterpret_cast<void*>(pointer));
    }
    state().blocks.erase(block);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuMemFree_v2(CUdeviceptr pointer) {
    BEGIN_IN_CONTEXT(cuMemFree_v2)
    return remove_block(pointer, false);
}
FAKE_CUDA_EXPORT CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    BEGIN_IN_CONTEXT(cuMemHostAlloc)
    if (CUresult result = refuse_during_captures()) return result;
    *pointer = add_block(bytes, {0, CU_MEMORYTYPE_HOST, false, 0, true});
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuMemFreeHost(void* pointer) {
    BEGIN(cuMemFreeHost)
    return remove_block(reinterpret_cast<std::uintptr_t>(pointer), true);
}
FAKE_CUDA_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned) {
    BEGIN_IN_CONTEXT(cuMemHostGetDevicePointer_v2)
    *device = reinterpret_cast<std::uintptr_t>(host);
    return find(*device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
FAKE_CUDA_EXPORT CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned) {
    BEGIN_IN_CONTEXT(cuMemAllocManaged)
    *pointer = reinterpret_cast<std::uintptr_t>(add_block(bytes, {0, CU_MEMORYTYPE_DEVICE, true, 0, true}));
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned) {
    BEGIN_IN_CONTEXT(cuMemHostRegister_v2)
    auto at = reinterpret_cast<std::uintptr_t>(pointer);
    if (find(at)) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    state().blocks[at] = {bytes, CU_MEMORYTYPE_HOST, false, current->ordinal, false};
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuMemHostUnregister(void* pointer) {
    BEGIN_IN_CONTEXT(cuMemHostUnregister)
    auto block = state().blocks.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (block == state().blocks.end() || block->second.owned) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    run_until(state().issued);
    state().blocks.erase(block);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* start, std::size_t* bytes, CUdeviceptr pointer) {
    BEGIN_IN_CONTEXT(cuMemGetAddressRange_v2)
    if (!find(pointer)) return CUDA_ERROR_NOT_FOUND;
    auto block = std::prev(state().blocks.upper_bound(pointer));
    *start = block->first;
    *bytes = block->second.bytes;
    return CUDA_SUCCESS;
}
// A handle is the process, its descriptor of the block's file, and the size.
FAKE_CUDA_EXPORT CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
    BEGIN_IN_CONTEXT(cuIpcGetMemHandle)
    auto block = state().blocks.find(pointer);
    if (block == state().blocks.end() || block->second.file < 0) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(handle->reserved, sizeof handle->reserved, "/proc/%d/fd/%d %zu", getpid(), block->second.file,
                  block->second.bytes);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
    BEGIN_IN_CONTEXT(cuIpcOpenMemHandle_v2)
    char path[64] = {};
    std::size_t bytes = 0;
    if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS || std::sscanf(handle.reserved, "%63s %zu", path, &bytes) != 2)
        return CUDA_ERROR_INVALID_VALUE;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return CUDA_ERROR_INVALID_VALUE;
    void* memory = map_file(file, bytes);
    close(file);
    if (memory == MAP_FAILED) return CUDA_ERROR_INVALID_VALUE;
    *pointer = reinterpret_cast<std::uintptr_t>(memory);
    state().blocks[*pointer] = {.bytes = bytes, .ordinal = current->ordinal, .owned = false, .opened = true};
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
    BEGIN_IN_CONTEXT(cuIpcCloseMemHandle)
    auto block = state().blocks.find(pointer);
    if (block == state().blocks.end() || !block->second.opened) return CUDA_ERROR_INVALID_VALUE;
    munmap(reinterpret_cast<void*>(pointer), block->second.bytes);
    state().blocks.erase(block);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr pointer) {
    BEGIN_IN_CONTEXT(cuPointerGetAttribute)
    Block* block = find(pointer);
    if (!block) return CUDA_ERROR_INVALID_VALUE;
    unsigned value = which == CU_POINTER_ATTRIBUTE_MEMORY_TYPE  ? block->type
                     : which == CU_POINTER_ATTRIBUTE_IS_MANAGED ? unsigned(block->managed)
                                                                : unsigned(block->ordinal);
    std::memcpy(data, &value, sizeof value);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, std::size_t bytes, CUstream stream) {
    BEGIN_IN_CONTEXT(cuMemcpyAsync)
    if ((find(dst) && !find(dst, bytes)) || (find(src) && !find(src, bytes))) return CUDA_ERROR_INVALID_VALUE;
    auto copy = [=] { std::memcpy(reinterpret_cast<void*>(dst), reinterpret_cast<void*>(src), bytes); };
    bool asynchronous = find(dst) && find(src);
    enqueue(stream, copy);
    if (capture_of(stream)) return CUDA_SUCCESS;
    // Ordinary host memory is copied before the call returns.
    if (!asynchronous) run_until(state().issued);
    return asynchronous ? CUDA_SUCCESS : result_of_waiting();
}
FAKE_CUDA_EXPORT CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t count, CUstream stream) {
    BEGIN_IN_CONTEXT(cuMemsetD8Async)
    // The error slot is a module's global, which is no block.
    if (!find(at)) {
        enqueue(stream, [=] { std::memset(reinterpret_cast<void*>(at), value, count); });
        return CUDA_SUCCESS;
    }
    return enqueue_memset(stream, at, 1, value, 1, count);
}
FAKE_CUDA_EXPORT CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, std::size_t count, CUstream stream) {
    BEGIN_IN_CONTEXT(cuMemsetD16Async)
    return enqueue_memset(stream, at, 2, value, 2, count);
}
FAKE_CUDA_EXPORT CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, std::size_t count, CUstream stream) {
    BEGIN_IN_CONTEXT(cuMemsetD32Async)
    return enqueue_memset(stream, at, 4, value, 4, count);
}
FAKE_CUDA_EXPORT CUresult cuMemsetD2D8Async(CUdeviceptr at, std::size_t pitch, unsigned char value, std::size_t width,
                                            std::size_t height, CUstream stream) {
    BEGIN_IN_CONTEXT(cuMemsetD2D8Async)
    return width != 1 ? CUDA_ERROR_NOT_SUPPORTED : enqueue_memset(stream, at, pitch, value, 1, height);
}
FAKE_CUDA_EXPORT CUresult cuMemsetD2D32Async(CUdeviceptr at, std::size_t pitch, unsigned value, std::size_t width,
                                             std::size_t height, CUstream stream) {
    BEGIN_IN_CONTEXT(cuMemsetD2D32Async)
    return width != 1 ? CUDA_ERROR_NOT_SUPPORTED : enqueue_memset(stream, at, pitch, value, 4, height);
}

FAKE_CUDA_EXPORT CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int) {
    BEGIN_IN_CONTEXT(cuStreamCreateWithPriority)
    *stream = new CUstream_st{current, flags};
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
    BEGIN(cuStreamDestroy_v2)
    delete stream;
    return CUDA_SUCCESS;
}
static CUresult break_capture(CUstream stream) {
    Capture* capture = capture_of(stream);
    if (capture) capture->valid = false;
    return capture ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamSynchronize(CUstream stream) {
    BEGIN_IN_CONTEXT(cuStreamSynchronize)
    if (CUresult result = break_capture(stream)) return result;
    run_until(state().issued);
    return result_of_waiting();
}
FAKE_CUDA_EXPORT CUresult cuStreamQuery(CUstream stream) {
    BEGIN_IN_CONTEXT(cuStreamQuery)
    if (CUresult result = break_capture(stream)) return result;
    if (state().queue.empty()) return result_of_waiting();
    run_until(state().done + 1);
    return CUDA_ERROR_NOT_READY;
}
FAKE_CUDA_EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
    BEGIN_IN_CONTEXT(cuStreamWaitEvent)
    Capture* capture = capture_of(stream);
    if (event->capture) {
        if (!event->capture->graph) return CUDA_ERROR_CAPTURED_EVENT;
        if (capture && capture != event->capture.get()) return CUDA_ERROR_STREAM_CAPTURE_MERGE;
        stream->capture = event->capture;
        stream->capture->last[stream].insert(event->point.begin(), event->point.end());
    } else if (capture && event->recorded) {
        capture->valid = false;
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
    BEGIN_IN_CONTEXT(cuStreamIsCapturing)
    *status =
        settings().capturing || capture_of(stream) ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
    BEGIN_IN_CONTEXT(cuStreamBeginCapture_v2)
    if (reinterpret_cast<std::uintptr_t>(stream) <= CU_STREAM_PER_THREAD) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture) return CUDA_ERROR_ILLEGAL_STATE;
    stream->capture = std::make_shared<Capture>(Capture{.origin = stream});
    state().captures.push_back(stream->capture);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
    BEGIN_IN_CONTEXT(cuStreamEndCapture)
    *graph = nullptr;
    std::shared_ptr<Capture> capture = stream->capture;
    if (!capture) return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    std::erase(state().captures, capture);
    const std::set<CUgraphNode> reached = with_ancestors(capture->last[stream]);
    bool joined = true;
    for (auto& [other, last] : capture->last) {
        joined = joined && std::includes(reached.begin(), reached.end(), last.begin(), last.end());
        other->capture.reset();
    }
    const std::unique_ptr<CUgraph_st> made = std::move(capture->graph);
    if (!capture->valid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!joined) return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    *graph = new CUgraph_st(std::move(*made));
    ++state().graphs;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, std::uint64_t*,
                                                    CUgraph* graph, const CUgraphNode** dependencies,
                                                    std::size_t* count) {
    BEGIN_IN_CONTEXT(cuStreamGetCaptureInfo_v2)
    Capture* capture = capture_of(stream);
    *status = !capture         ? CU_STREAM_CAPTURE_STATUS_NONE
              : capture->valid ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                               : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    if (!capture || !capture->valid) return CUDA_SUCCESS;
    capture->queried.assign(capture->last[stream].begin(), capture->last[stream].end());
    *graph = capture->graph.get();
    *dependencies = capture->queried.data();
    *count = capture->queried.size();
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                                            std::size_t count, unsigned flags) {
    BEGIN_IN_CONTEXT(cuStreamUpdateCaptureDependencies)
    Capture* capture = capture_of(stream);
    if (!capture) return CUDA_ERROR_ILLEGAL_STATE;
    std::set<CUgraphNode>& last = capture->last[stream];
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) last.clear();
    last.insert(dependencies, dependencies + count);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                                   std::size_t count, CUgraph child) {
    BEGIN(cuGraphAddChildGraphNode)
    graph->nodes.push_back(std::make_unique<CUgraphNode_st>(
        CUgraphNode_st{ordered_operations(*child), {dependencies, dependencies + count}}));
    *node = graph->nodes.back().get();
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
    BEGIN(cuThreadExchangeStreamCaptureMode)
    std::swap(*mode, capture_mode);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode*, std::size_t* count) {
    BEGIN(cuGraphGetNodes)
    *count = graph->nodes.size();
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGraphDestroy(CUgraph graph) {
    BEGIN(cuGraphDestroy)
    delete graph;
    --state().graphs;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
    BEGIN_IN_CONTEXT(cuGraphInstantiateWithFlags)
    *executable = new CUgraphExec_st{ordered_operations(*graph)};
    ++state().graphs;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGraphUpload(CUgraphExec, CUstream) {
    BEGIN_IN_CONTEXT(cuGraphUpload)
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
    BEGIN_IN_CONTEXT(cuGraphLaunch)
    if (CUresult result = break_capture(stream)) return result;
    for (const std::function<void()>& operation : executable->operations) enqueue(stream, operation);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuGraphExecDestroy(CUgraphExec executable) {
    BEGIN_IN_CONTEXT(cuGraphExecDestroy)
    delete executable;
    --state().graphs;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
    BEGIN(cuStreamGetCtx)
    *context = stream->context;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
    BEGIN(cuStreamGetFlags)
    if (CUresult result = break_capture(stream)) return result;
    *flags = stream->flags;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuStreamAttachMemAsync(CUstream, CUdeviceptr pointer, std::size_t bytes, unsigned) {
    BEGIN_IN_CONTEXT(cuStreamAttachMemAsync)
    Block* block = find(pointer);
    return block && block->managed && bytes == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
FAKE_CUDA_EXPORT CUresult cuLaunchHostFunc(CUstream stream, CUhostFn f, void* data) {
    BEGIN_IN_CONTEXT(cuLaunchHostFunc)
    enqueue(stream, [=] {
        in_host_function = true;
        f(data);
        in_host_function = false;
    });
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuEventCreate(CUevent* event, unsigned flags) {
    BEGIN_IN_CONTEXT(cuEventCreate)
    *event = new CUevent_st{(flags & CU_EVENT_DISABLE_TIMING) == 0};
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
    BEGIN(cuEventDestroy_v2)
    delete event;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
    BEGIN_IN_CONTEXT(cuEventRecord)
    event->capture.reset();
    if (Capture* capture = capture_of(stream)) {
        event->capture = stream->capture;
        event->point = capture->last[stream];
        return CUDA_SUCCESS;
    }
    event->recorded = true;
    event->position = state().issued;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuEventQuery(CUevent event) {
    BEGIN(cuEventQuery)
    if (state().done >= event->position) return result_of_waiting();
    run_until(state().done + 1);
    return CUDA_ERROR_NOT_READY;
}
FAKE_CUDA_EXPORT CUresult cuEventSynchronize(CUevent event) {
    BEGIN(cuEventSynchronize)
    run_until(event->position);
    return result_of_waiting();
}
FAKE_CUDA_EXPORT CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
    BEGIN(cuEventElapsedTime)
    if (!start->timing || !end->timing || !start->recorded || !end->recorded) return CUDA_ERROR_INVALID_HANDLE;
    if (state().done < end->position) return CUDA_ERROR_NOT_READY;
    *milliseconds = float(end->position - start->position);
    return CUDA_SUCCESS;
}

FAKE_CUDA_EXPORT CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                                             void** values) {
    BEGIN_IN_CONTEXT(cuModuleLoadDataEx)
    if (CUresult result = refuse_during_captures()) return result;
    std::string text = static_cast<const char*>(image);
    if (int line = bad_line(text))
        return write_log(option_map(count, options, values), "ptxas fatal: line " + std::to_string(line));
    auto loaded = std::make_unique<CUmod_st>();
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string kind, name;
        words >> kind >> name;
        if (kind == "kernel") {
            CUfunc_st function{name, loaded.get()};
            words >> function.parameter_bytes >> function.static_shared;
            for (unsigned size; words >> size;) function.parameter_sizes.push_back(size);
            if (function.parameter_sizes.empty()) function.parameter_sizes.assign(function.parameter_bytes / 4, 4);
            function.max_dynamic = default_shared - function.static_shared;
            loaded->functions[name] = function;
        } else if (kind == "global") {
            std::size_t bytes = 0;
            words >> bytes;
            loaded->globals[name].resize((bytes + 7) / 8);
            loaded->global_bytes[name] = bytes;
        }
    }
    *module = loaded.release();
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuModuleUnload(CUmodule module) {
    BEGIN_IN_CONTEXT(cuModuleUnload)
    run_until(state().issued);
    delete module;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    BEGIN_IN_CONTEXT(cuModuleGetFunction)
    auto found = module->functions.find(name);
    if (found == module->functions.end()) return CUDA_ERROR_NOT_FOUND;
    *function = &found->second;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, std::size_t* bytes, CUmodule module,
                                               const char* name) {
    BEGIN_IN_CONTEXT(cuModuleGetGlobal_v2)
    auto found = module->globals.find(name);
    if (found == module->globals.end()) return CUDA_ERROR_NOT_FOUND;
    *pointer = reinterpret_cast<std::uintptr_t>(found->second.data());
    *bytes = module->global_bytes[name];
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
    BEGIN_IN_CONTEXT(cuModuleGetFunctionCount)
    *count = unsigned(module->functions.size());
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
    BEGIN_IN_CONTEXT(cuModuleEnumerateFunctions)
    for (auto& [name, function] : module->functions)
        if (count-- > 0) *functions++ = &function;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* link) {
    BEGIN_IN_CONTEXT(cuLinkCreate_v2)
    *link = new CUlinkState_st{{}, option_map(count, options, values)};
    if (count == 0) return CUDA_SUCCESS;  // the warm-up
    state().link_options.clear();
    for (auto& [option, value] : (*link)->options)
        state().link_options[option] = reinterpret_cast<std::uintptr_t>(value);
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuLinkAddData_v2(CUlinkState link, CUjitInputType type, void* data, std::size_t size,
                                           const char*, unsigned, CUjit_option*, void**) {
    BEGIN_IN_CONTEXT(cuLinkAddData_v2)
    if (type == CU_JIT_INPUT_LIBRARY) {
        state().linked_libraries.emplace_back(static_cast<const char*>(data), size);
        return CUDA_SUCCESS;
    }
    std::string text(static_cast<const char*>(data), size - 1);
    if (int line = bad_line(text)) return write_log(link->options, "ptxas fatal: line " + std::to_string(line));
    link->cubin = "cubin\n" + text;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuLinkComplete(CUlinkState link, void** cubin, std::size_t* size) {
    BEGIN_IN_CONTEXT(cuLinkComplete)
    if (link->options.contains(CU_JIT_LOG_VERBOSE))
        std::strcpy(static_cast<char*>(link->options[CU_JIT_INFO_LOG_BUFFER]),
                    "ptxas info    : Function properties for add_symbol\n"
                    "    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n");
    *cubin = link->cubin.data();
    *size = link->cubin.size() + 1;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuLinkDestroy(CUlinkState link) {
    BEGIN(cuLinkDestroy)
    delete link;
    return CUDA_SUCCESS;
}

FAKE_CUDA_EXPORT CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction f) {
    BEGIN_IN_CONTEXT(cuFuncGetAttribute)
    switch (which) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            *value = f->name == "hungry" ? 512 : 1024;
            break;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            *value = f->static_shared;
            break;
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            *value = 40;
            break;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            *value = f->max_dynamic;
            break;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            *value = f->carveout;
            break;
        default:
            *value = 0;
    }
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute which, int value) {
    BEGIN_IN_CONTEXT(cuFuncSetAttribute)
    if (which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
        if (value > optin_shared - f->static_shared) return CUDA_ERROR_INVALID_VALUE;
        f->max_dynamic = value;
    } else if (which == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
        f->carveout = value;
    } else if (which == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
        f->large_clusters = value;
    } else {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuFuncGetName(const char** name, CUfunction f) {
    BEGIN(cuFuncGetName)
    *name = f->name.c_str();
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuFuncGetParamInfo(CUfunction f, std::size_t index, std::size_t* offset, std::size_t* size) {
    BEGIN(cuFuncGetParamInfo)
    if (index >= f->parameter_sizes.size()) return CUDA_ERROR_INVALID_VALUE;
    *offset = 0;
    for (std::size_t i = 0; i < index; ++i) *offset += f->parameter_sizes[i];
    *size = f->parameter_sizes[index];
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction f, int threads,
                                                                      std::size_t shared) {
    BEGIN_IN_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor)
    *blocks = int(shared) > f->max_dynamic ? 0 : 2048 / threads;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction, CUoccupancyB2DSize,
                                                           std::size_t, int limit) {
    BEGIN_IN_CONTEXT(cuOccupancyMaxPotentialBlockSize)
    *grid = 264, *block = limit ? limit : 1024;
    return CUDA_SUCCESS;
}
FAKE_CUDA_EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                         unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                         CUstream stream, void**, void** extra) {
    BEGIN_IN_CONTEXT(cuLaunchKernel)
    return enqueue_launch(
        f, Launch{{}, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, {}, false, {0, 0, 0}, stream, {}},
        extra);
}
FAKE_CUDA_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void**, void** extra) {
    BEGIN_IN_CONTEXT(cuLaunchKernelEx)
    Launch launch{{},
                  {config->gridDimX, config->gridDimY, config->gridDimZ},
                  {config->blockDimX, config->blockDimY, config->blockDimZ},
                  config->sharedMemBytes,
                  {},
                  false,
                  {0, 0, 0},
                  config->hStream,
                  {}};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const CUlaunchAttribute& attribute = config->attrs[i];
        if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) launch.cooperative = attribute.value.cooperative != 0;
        if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            launch.cluster[0] = attribute.value.clusterDim.x;
            launch.cluster[1] = attribute.value.clusterDim.y;
            launch.cluster[2] = attribute.value.clusterDim.z;
        }
    }
    return enqueue_launch(f, launch, extra);
}

}  // extern "C"

#define LANEWISE_CUDA(name, symbol, since, parameters) \
    static_assert(std::is_same_v<decltype(&symbol), CUresult(*) parameters>);
#include "backend/cuda/driver.def"
#undef LANEWISE_CUDA

}  // namespace lanewise::cuda
