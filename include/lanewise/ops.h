// Operations on arrays: elementwise functions, reductions, and what is made of them. They are lazy: the result's shape
// and dtype are checked at once, its elements are computed when they are needed, together with what they are made of.
// They run on the calling thread's current stream of the arrays' device. Shapes broadcast, dtypes promote as in
// NumPy 2.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "lanewise/array.h"
#include "lanewise/promotion.h"
#include "lanewise/scalar.h"

namespace lanewise {

enum class Ufunc : std::uint16_t {
#define LANEWISE_UNARY(Id, ...) Id,
#define LANEWISE_BINARY(Id, ...) Id,
#include "lanewise/tables/ufuncs.def"
#undef LANEWISE_BINARY
#undef LANEWISE_UNARY
};

struct UfuncInfo {
    std::string_view name;
    int inputs;
    std::string_view loops;
    char result;
};
const UfuncInfo& info(Ufunc ufunc);
std::optional<Ufunc> ufunc_from_name(std::string_view name);

enum class Reduction : std::uint8_t {
#define LANEWISE_REDUCTION(Id, ...) Id,
#include "lanewise/tables/reduce.def"
#undef LANEWISE_REDUCTION
};

std::string_view name(Reduction reduction);

/// What happens to an index outside the axis.
enum class IndexMode : std::uint8_t {
    Raise,  ///< IndexError when the stream is next waited for
    Wrap,   ///< modulo the extent
    Clip,   ///< to the first or last element; negative indices too
};

/// An array or a number, as an argument of a call: it refers to the array, which must outlive it.
class Operand {
public:
    Operand(const Array& array) : array_(&array) {}
    Operand(const Scalar& scalar) : scalar_(scalar) {}
    template <class T>
        requires std::is_constructible_v<Scalar, T>
    Operand(T value) : scalar_(value) {}

    const Array* array() const { return array_; }
    const Scalar* scalar() const { return array_ ? nullptr : &scalar_; }

private:
    const Array* array_ = nullptr;
    Scalar scalar_ = false;
};

struct UfuncOptions {
    std::optional<Array> out;    ///< written, with a cast by `casting`; operands broadcast to its shape
    std::optional<DType> dtype;  ///< computed in this type
    std::optional<Array> where;  ///< bool: elsewhere `out` keeps its elements, or they are those of `empty`
    Casting casting = Casting::SameKind;
    std::shared_ptr<Stream> stream;  ///< instead of the current one
};

/// Error(Type) when the function has no loop for the dtypes, Error(Value) when shapes do not broadcast, Error(Overflow)
/// for a Python integer outside the type of the arrays.
Array apply(Ufunc ufunc, std::span<const Operand> operands, const UfuncOptions& options = {});
/// The dtype computed in and the dtype of the result, for operands of these dtypes (at least one); Error(Type) when
/// there is no loop.
std::pair<DType, DType> resolve(Ufunc ufunc, std::span<const DType> dtypes);

#define LANEWISE_UNARY(Id, name, ...)                                       \
    inline Array name(const Operand& x, const UfuncOptions& options = {}) { \
        return apply(Ufunc::Id, {{x}}, options);                            \
    }
#define LANEWISE_BINARY(Id, name, ...)                                                        \
    inline Array name(const Operand& a, const Operand& b, const UfuncOptions& options = {}) { \
        const Operand operands[] = {a, b};                                                    \
        return apply(Ufunc::Id, operands, options);                                           \
    }
#include "lanewise/tables/ufuncs.def"
#undef LANEWISE_BINARY
#undef LANEWISE_UNARY

/// x * 2**n; n is an integer.
Array ldexp(const Operand& x, const Operand& n, const UfuncOptions& options = {});
std::pair<Array, Array> divmod(const Operand& a, const Operand& b);
std::pair<Array, Array> frexp(const Operand& x);
std::pair<Array, Array> modf(const Operand& x);
Array where(const Operand& condition, const Operand& if_true, const Operand& if_false);
/// Either bound may be missing.
Array clip(const Operand& x, const std::optional<Operand>& low, const std::optional<Operand>& high);
/// To `decimals` digits, halves to even.
Array round(const Operand& x, int decimals = 0);
Array sinc(const Operand& x);
/// Parts of complex arrays; views where the elements are in memory. imag of real arrays is zeros.
Array real(const Array& x);
Array imag(const Array& x);
Array angle(const Operand& z);
Array make_complex(const Operand& real, const Operand& imag);
Array isclose(const Operand& a, const Operand& b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);

/// Error(Type) when `casting` forbids it. An array of the same dtype comes back as it is unless `copy`.
Array astype(const Array& x, DType dtype, Casting casting = Casting::Unsafe, bool copy = true);
/// target[...] = value: broadcast to the target's shape and cast to its dtype. In order with everything recorded
/// before, including pending reads of the target's memory.
void assign(const Array& target, const Operand& value, Casting casting = Casting::Unsafe);

struct ReduceOptions {
    std::optional<Dims> axes;  ///< none: all
    bool keepdims = false;
    std::optional<DType> dtype;  ///< accumulated and given in this type
    std::optional<Array> out;
};
/// Error(Value) for axes that there are not, are repeated, or without elements where there is no identity.
Array reduce(Reduction reduction, const Array& x, const ReduceOptions& options = {});
#define LANEWISE_REDUCTION(Id, name, ...)                                  \
    inline Array name(const Array& x, const ReduceOptions& options = {}) { \
        return reduce(Reduction::Id, x, options);                          \
    }
#include "lanewise/tables/reduce.def"
#undef LANEWISE_REDUCTION
Array mean(const Array& x, const ReduceOptions& options = {});
Array var(const Array& x, const ReduceOptions& options = {}, double ddof = 0);
Array stddev(const Array& x, const ReduceOptions& options = {}, double ddof = 0);
/// NaNs count as missing. argmin and argmax of nothing but NaNs give 0.
Array nansum(const Array& x, const ReduceOptions& options = {});
Array nanprod(const Array& x, const ReduceOptions& options = {});
Array nanmin(const Array& x, const ReduceOptions& options = {});
Array nanmax(const Array& x, const ReduceOptions& options = {});
Array nanargmin(const Array& x, const ReduceOptions& options = {});
Array nanargmax(const Array& x, const ReduceOptions& options = {});
Array nanmean(const Array& x, const ReduceOptions& options = {});
Array nanvar(const Array& x, const ReduceOptions& options = {}, double ddof = 0);
Array nanstd(const Array& x, const ReduceOptions& options = {}, double ddof = 0);

/// Running sums and products along an axis (none: of the elements in C order).
Array cumsum(const Array& x, std::optional<int> axis, std::optional<DType> dtype = std::nullopt);
Array cumprod(const Array& x, std::optional<int> axis, std::optional<DType> dtype = std::nullopt);

Array full(const Dims& shape, const Scalar& value, DType dtype, const std::shared_ptr<Stream>& stream);
Array arange(const Scalar& start, const Scalar& stop, const Scalar& step, std::optional<DType> dtype,
             const std::shared_ptr<Stream>& stream);
Array linspace(double start, double stop, std::int64_t count, bool endpoint, DType dtype,
               const std::shared_ptr<Stream>& stream);
/// Ones on diagonal `k`.
Array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype, const std::shared_ptr<Stream>& stream);
/// Ones at and below diagonal `k`.
Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype, const std::shared_ptr<Stream>& stream);
/// The position along `axis`, as int64, of every element of an array of this shape (NumPy's indices).
Array positions(const Dims& shape, int axis, const std::shared_ptr<Stream>& stream);

Array broadcast_to(const Array& x, const Dims& shape);
Array expand_dims(const Array& x, const Dims& axes);
Array flip(const Array& x, const std::optional<Dims>& axes = std::nullopt);
/// A view where possible, else a copy.
Array reshape(const Array& x, const Dims& shape, Order order = Order::C);
Array concatenate(std::span<const Array> arrays, int axis, std::optional<DType> dtype = std::nullopt);
Array stack(std::span<const Array> arrays, int axis);
Array repeat(const Array& x, std::int64_t count, std::optional<int> axis);
/// Each element along the axis as often as its count says. Waits for the device.
Array repeat(const Array& x, const Array& counts, std::optional<int> axis);
Array tile(const Array& x, const Dims& counts);
Array roll(const Array& x, const Dims& shifts, const std::optional<Dims>& axes);
enum class PadMode : std::uint8_t { Constant, Edge, Reflect, Symmetric, Wrap };
/// `before` and `after`: widths along each axis.
Array pad(const Array& x, const Dims& before, const Dims& after, PadMode mode, const Scalar& value = 0);

/// One item of an advanced index: a basic one, or an array of integers or booleans.
using AdvancedIndex = std::variant<Index, Array>;
/// NumPy's x[items], a copy when there is an array among them. Boolean arrays wait for the device.
Array get_items(const Array& x, std::span<const AdvancedIndex> items);
/// x[items] = value. Where indices repeat, one of the values wins.
void set_items(const Array& x, std::span<const AdvancedIndex> items, const Operand& value);
Array take(const Array& x, const Array& indices, std::optional<int> axis, IndexMode mode = IndexMode::Raise);
void put(const Array& x, const Array& indices, const Operand& values, IndexMode mode = IndexMode::Raise);
Array take_along_axis(const Array& x, const Array& indices, int axis);
/// The coordinates of the elements that are not zero, one array an axis. Waits for the device.
std::vector<Array> nonzero(const Array& x);
Array compress(const Array& mask, const Array& x, std::optional<int> axis);

Array matmul(const Array& a, const Array& b);
Array dot(const Array& a, const Array& b);

/// Computes what is pending: all of it, what a stream's work up to now includes (its own, and what comes before it by
/// the rule for the legacy default stream), one array.
void evaluate();
void evaluate(Stream& stream);
void evaluate(const Array& array);
/// Waits for the stream's work, what is pending included.
void synchronize(Stream& stream);

/// Stream::begin_capture and end_capture with the operations that are pending: those from before are computed first and
/// are no part of the capture, those on captured streams at its end are.
void begin_capture(Stream& stream, CaptureMode mode = CaptureMode::Relaxed);
std::shared_ptr<Graph> end_capture(Stream& stream);
/// Graph::launch behind all that is pending, which may read what the graph writes.
void launch(Graph& graph, const std::shared_ptr<Stream>& stream);

/// While one is alive, the thread's operations are computed at once, one by one.
class Eager {
public:
    Eager();
    ~Eager();
    Eager(const Eager&) = delete;
    Eager& operator=(const Eager&) = delete;

private:
    bool before_;
};

/// Counts since the start of the process.
struct EngineStatistics {
    std::uint64_t nodes = 0;     ///< operations recorded
    std::uint64_t launches = 0;  ///< kernels launched for them
    std::uint64_t kernels = 0;   ///< different kernels built
    std::uint64_t pending = 0;   ///< operations waiting now
};
EngineStatistics engine_statistics();

}  // namespace lanewise
