// The cpu device's matrix product: a library with the C interface of BLAS, when the machine has an optimised one.
#include <fmt/format.h>

#include <limits>

#include "base/dynlib.h"
#include "base/env.h"
#include "base/log.h"
#include "lanewise/error.h"
#include "runtime/backend.h"
#include "runtime/blas.h"

namespace lanewise::cpu {
namespace {

constexpr int row_major = 101, no_transpose = 111, transposed = 112;

/// cblas_*gemm with integers of type I; `alpha` and `beta` are numbers for real types, addresses for complex ones.
template <class I, class Scalar>
using Gemm = void (*)(int order, int transpose_a, int transpose_b, I m, I n, I k, Scalar alpha, const void* a, I lda,
                      const void* b, I ldb, Scalar beta, void* c, I ldc);

class Cblas final : public Blas {
public:
    /// Null when there is none, or LANEWISE_BLAS is "off".
    static Blas* find() {
        if (auto given = env::text("LANEWISE_BLAS")) {
            if (*given == "off") return nullptr;
            const std::string candidates[] = {*given};
            Dynlib library = Dynlib::require(candidates, "LANEWISE_BLAS");
            if (Blas* blas = of(library)) return blas;
            throw Error(ErrorKind::Value, fmt::format("LANEWISE_BLAS: {} has no cblas_sgemm, dgemm, cgemm and zgemm, "
                                                      "with or without the suffix 64_",
                                                      library.path()));
        }
        // One that the program has loaded already, such as NumPy's own, has its threads already, too. The reference
        // BLAS is slower than our own kernel.
        for (std::string_view stem : {"libmkl_rt.", "libopenblas", "libscipy_openblas", "libblis."})
            if (auto library = Dynlib::in_process({stem}))
                if (Blas* blas = of(*library)) return blas;
        for (const char* name :
             {"libmkl_rt.so.2", "libmkl_rt.so", "libopenblas.so.0", "libopenblas.so", "libblis.so.4"})
            if (auto library = Dynlib::open({name}))
                if (Blas* blas = of(*library)) return blas;
        return nullptr;
    }

    bool multiply(Stream& stream, const MatrixProduct& product) override {
        int which = 0;
        switch (product.type) {
            case DType::Float32:
                which = 0;
                break;
            case DType::Float64:
                which = 1;
                break;
            case DType::Complex64:
                which = 2;
                break;
            case DType::Complex128:
                which = 3;
                break;
            default:
                return false;
        }
        const std::int64_t limit = wide_ ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<int>::max();
        for (std::int64_t value : {product.rows, product.columns, product.inner, product.a.row, product.a.column,
                                   product.b.row, product.b.column})
            if (value > limit) return false;
        stream.host_call([this, which, product] {
            for (std::int64_t i = 0; i < product.count; ++i)
                wide_ ? one<std::int64_t>(which, product, i) : one<int>(which, product, i);
        });
        return true;
    }

private:
    /// Null when the library has not all functions.
    static Blas* of(Dynlib& library) {
        // Prefix, suffix and integer width by which builds differ.
        struct {
            const char *prefix, *suffix;
            bool wide;
        } spellings[] = {
            {"cblas_", "64_", true}, {"scipy_cblas_", "64_", true}, {"cblas_", "", false}, {"scipy_cblas_", "", false}};
        for (const auto& s : spellings) {
            auto function = [&](const char* name) {
                return library.symbol(fmt::format("{}{}{}", s.prefix, name, s.suffix).c_str());
            };
            if (!function("sgemm") || !function("dgemm") || !function("cgemm") || !function("zgemm")) continue;
            library.keep_open();
            log(LogLevel::Info, [&] { return "cpu device: matrix products by " + library.path(); });
            auto* blas = new Cblas;
            blas->wide_ = s.wide;
            blas->functions_[0] = function("sgemm");
            blas->functions_[1] = function("dgemm");
            blas->functions_[2] = function("cgemm");
            blas->functions_[3] = function("zgemm");
            return blas;
        }
        return nullptr;
    }

    template <class I>
    void one(int which, const MatrixProduct& p, std::int64_t number) const {
        const std::int64_t item = size_of(p.type);
        auto at = [&](const MatrixBatch& m) { return static_cast<std::byte*>(m.data) + number * m.batch * item; };
        auto transpose = [](const MatrixBatch& m) { return m.column == 1 ? no_transpose : transposed; };
        auto pitch = [](const MatrixBatch& m, std::int64_t rows, std::int64_t columns) {
            return static_cast<I>(m.column == 1 ? std::max(m.row, columns) : std::max(m.column, rows));
        };
        const I m = static_cast<I>(p.rows), n = static_cast<I>(p.columns), k = static_cast<I>(p.inner);
        const I lda = pitch(p.a, p.rows, p.inner), ldb = pitch(p.b, p.inner, p.columns);
        auto call = [&](auto alpha, auto beta) {
            reinterpret_cast<Gemm<I, decltype(alpha)>>(functions_[which])(row_major, transpose(p.a), transpose(p.b), m,
                                                                          n, k, alpha, at(p.a), lda, at(p.b), ldb, beta,
                                                                          at(p.c), n);
        };
        static const double one64[] = {1, 0}, zero64[] = {0, 0};
        static const float one32[] = {1, 0}, zero32[] = {0, 0};
        switch (which) {
            case 0:
                return call(1.f, 0.f);
            case 1:
                return call(1.0, 0.0);
            case 2:
                return call(static_cast<const void*>(one32), static_cast<const void*>(zero32));
            default:
                return call(static_cast<const void*>(one64), static_cast<const void*>(zero64));
        }
    }

    bool wide_ = false;
    void* functions_[4] = {};
};

}  // namespace
}  // namespace lanewise::cpu

namespace lanewise::backend {

Blas* cpu_blas() {
    static Blas* const found = cpu::Cblas::find();
    return found;
}

}  // namespace lanewise::backend
