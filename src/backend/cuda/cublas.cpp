// cuBLAS: opened when the first matrix product asks for it.
#include <fmt/format.h>

#include <limits>
#include <map>
#include <mutex>

#include "backend/cuda/capture_mode.h"
#include "backend/cuda/context.h"
#include "backend/cuda/stream.h"
#include "base/cuda_places.h"
#include "base/dynlib.h"
#include "base/env.h"
#include "base/log.h"
#include "lanewise/buffer.h"
#include "runtime/backend.h"
#include "runtime/blas.h"

namespace lanewise::cuda {
namespace {

using cublasHandle_t = struct CublasState*;

constexpr int no_transpose = 0, transposed = 1;
constexpr int default_algorithm = -1;
/// What NVIDIA recommends for Hopper; enough for older devices.
constexpr std::size_t workspace_bytes = std::size_t(32) << 20;

struct Types {
    int data, compute;  ///< cudaDataType, cublasComputeType_t
};
std::optional<Types> types_of(DType type) {
    switch (type) {
        case DType::Float16:
            return Types{2, 68};
        case DType::BFloat16:
            return Types{14, 68};
        case DType::Float32:
            return Types{0, 68};
        case DType::Float64:
            return Types{1, 70};
        case DType::Complex64:
            return Types{4, 68};
        case DType::Complex128:
            return Types{5, 70};
        default:
            return std::nullopt;
    }
}

struct Functions {
#define LANEWISE_CUBLAS(name, parameters) int(*name) parameters = nullptr;
#include "backend/cuda/cublas.def"
#undef LANEWISE_CUBLAS
};

/// Null when no cuBLAS is installed.
const Functions* functions() {
    static const Functions* const found = []() -> const Functions* {
        std::vector<std::string> candidates;
        if (auto given = env::text("LANEWISE_CUBLAS")) candidates.push_back(*given);
        for (const std::string& root : cuda_roots())
            for (const char* folder : {"lib", "lib64"})
                for (const char* name : {"libcublas.so.13", "libcublas.so.12"})
                    candidates.push_back(fmt::format("{}/{}/{}", root, folder, name));
        candidates.emplace_back("libcublas.so.13");
        candidates.emplace_back("libcublas.so.12");
        std::string why;
        std::optional<Dynlib> library = Dynlib::open(candidates, &why);
        if (!library) {
            log(LogLevel::Info, [&] { return "no cuBLAS: " + why; });
            return nullptr;
        }
        auto functions = std::make_unique<Functions>();
        bool complete = true;
#define LANEWISE_CUBLAS(name, parameters)                          \
    functions->name = library->function<int(*) parameters>(#name); \
    complete = complete && functions->name;
#include "backend/cuda/cublas.def"
#undef LANEWISE_CUBLAS
        if (!complete) return nullptr;
        library->keep_open();
        log(LogLevel::Info, [&] { return "matrix products by " + library->path(); });
        return functions.release();
    }();
    return found;
}

class Cublas final : public Blas {
public:
    Cublas(CudaDevice& device, const Functions& functions) : device_(device), functions_(functions) {
        const ContextScope scope(device_);
        const RelaxedCapture relaxed;
        check(functions_.cublasCreate_v2(&handle_), "cublasCreate");
    }

    bool multiply(Stream& stream, const MatrixProduct& p) override {
        const std::optional<Types> types = types_of(p.type);
        if (!types) return false;
        for (std::int64_t value : {p.rows, p.columns, p.inner, p.a.row, p.a.column, p.b.row, p.b.column, p.count})
            if (value > std::numeric_limits<int>::max()) return false;
        const double one64[] = {1, 0}, zero64[] = {0, 0};
        const float one32[] = {1, 0}, zero32[] = {0, 0};
        const bool wide = types->compute == 70;
        const void* one = wide ? static_cast<const void*>(one64) : one32;
        const void* zero = wide ? static_cast<const void*>(zero64) : zero32;
        // cuBLAS counts by columns: in its eyes all matrices are transposed, and so is the product b a.
        auto transpose = [](const MatrixBatch& m) { return m.column == 1 ? no_transpose : transposed; };
        auto pitch = [](const MatrixBatch& m, std::int64_t rows, std::int64_t columns) {
            return static_cast<int>(m.column == 1 ? std::max(m.row, columns) : std::max(m.column, rows));
        };
        // A workspace of the stream's own memory: it is free for later work of the stream when this is done.
        const std::shared_ptr<Buffer> workspace = Buffer::create(stream.shared_from_this(), workspace_bytes);
        const ContextScope scope(device_);
        const std::lock_guard lock(mutex_);
        check(functions_.cublasSetStream_v2(handle_, reinterpret_cast<CUstream>(stream.handle())), "cublasSetStream");
        check(functions_.cublasSetWorkspace_v2(handle_, workspace->data(), workspace_bytes), "cublasSetWorkspace");
        check(functions_.cublasGemmStridedBatchedEx(
                  handle_, transpose(p.b), transpose(p.a), static_cast<int>(p.columns), static_cast<int>(p.rows),
                  static_cast<int>(p.inner), one, p.b.data, types->data, pitch(p.b, p.inner, p.columns), p.b.batch,
                  p.a.data, types->data, pitch(p.a, p.rows, p.inner), p.a.batch, zero, p.c.data, types->data,
                  static_cast<int>(p.c.row), p.c.batch, static_cast<int>(p.count), types->compute, default_algorithm),
              "cublasGemmStridedBatchedEx");
        return true;
    }

private:
    static void check(int status, const char* call) {
        if (status == 0) return;
        Error error(ErrorKind::Driver, fmt::format("{} failed with status {} of cuBLAS", call, status));
        error.code = status;
        throw error;
    }

    CudaDevice& device_;
    const Functions& functions_;
    std::mutex mutex_;
    cublasHandle_t handle_ = nullptr;
};

}  // namespace
}  // namespace lanewise::cuda

namespace lanewise::backend {

Blas* cuda_blas(Device& device) {
    static std::mutex mutex;
    // Never destroyed: the driver is gone before static destructors run.
    static auto* known = new std::map<Device*, std::unique_ptr<Blas>>;
    const cuda::Functions* functions = cuda::functions();
    if (!functions) return nullptr;
    const std::lock_guard lock(mutex);
    std::unique_ptr<Blas>& blas = (*known)[&device];
    if (!blas) blas = std::make_unique<cuda::Cublas>(dynamic_cast<cuda::CudaDevice&>(device), *functions);
    return blas.get();
}

}  // namespace lanewise::backend
