"""The C++ classes that expressions see: `CArray`, an array, and `CIndexer`, the position in the loop."""

#: `Narrow`: positions fit into 32 bits, so that dividing them is cheap. Strides are in bytes, as NumPy's.
TEXT = r"""
namespace lanewise_expression {
template <bool Narrow> struct Position { typedef unsigned long long type; };
template <> struct Position<true> { typedef unsigned int type; };

template <class T, int Width> struct alignas(Width * sizeof(T)) Pack { T at[Width]; };

// Sizes, shapes and strides, as the host has laid them out.
template <int Count> struct Layout { ptrdiff_t at[Count]; };

// The bytes from the first element to that at `position` in C order.
template <int Rank, bool Narrow>
__device__ __forceinline__ ptrdiff_t offset_of(ptrdiff_t position, const ptrdiff_t *shape, const ptrdiff_t *strides) {
    typedef typename Position<Narrow>::type Unsigned;
    Unsigned rest = Unsigned(position);
    ptrdiff_t offset = 0;
#pragma unroll
    for (int axis = Rank - 1; axis > 0; --axis) {
        const Unsigned extent = Unsigned(shape[axis]), above = rest / extent;
        offset += ptrdiff_t(rest - above * extent) * strides[axis];
        rest = above;
    }
    return Rank > 0 ? offset + ptrdiff_t(rest) * strides[0] : 0;
}

template <class T> __device__ __forceinline__ T *moved(T *data, ptrdiff_t bytes) {
    return (T *)((const char *)data + bytes);
}
}

template <class T, int Rank, bool Contiguous = true, bool Narrow = false> class CArray {
    T *data_;
    ptrdiff_t size_, shape_[Rank ? Rank : 1], strides_[Rank ? Rank : 1];

    __device__ T *place(ptrdiff_t position) const {
        if (Contiguous) return data_ + position;
        return lanewise_expression::moved(
            data_, lanewise_expression::offset_of<Rank, Narrow>(position, shape_, strides_));
    }
    template <class Integer> __device__ T *place_of(const Integer *index) const {
        ptrdiff_t offset = 0;
#pragma unroll
        for (int axis = 0; axis < Rank; ++axis) offset += ptrdiff_t(index[axis]) * strides_[axis];
        return lanewise_expression::moved(data_, offset);
    }

public:
    typedef T value_type;
    typedef ptrdiff_t index_t;
    static const int ndim = Rank;
    static const bool c_contiguous = Contiguous;

    // `layout`: size, shape, strides.
    __device__ CArray(const T *data, const ptrdiff_t *layout) : data_(const_cast<T *>(data)), size_(layout[0]) {
#pragma unroll
        for (int axis = 0; axis < Rank; ++axis) {
            shape_[axis] = layout[1 + axis];
            strides_[axis] = layout[1 + Rank + axis];
        }
    }
    __device__ ptrdiff_t size() const { return size_; }
    __device__ const ptrdiff_t *shape() const { return shape_; }
    __device__ const ptrdiff_t *strides() const { return strides_; }
    // By position in C order, or by one index for each axis.
    __device__ T &operator[](ptrdiff_t position) { return *place(position); }
    __device__ const T &operator[](ptrdiff_t position) const { return *place(position); }
    template <class Integer> __device__ T &operator[](const Integer (&index)[Rank ? Rank : 1]) {
        return *place_of(index);
    }
    template <class Integer> __device__ const T &operator[](const Integer (&index)[Rank ? Rank : 1]) const {
        return *place_of(index);
    }
    __device__ T *begin() { static_assert(Contiguous, "begin() is for contiguous arrays"); return data_; }
    __device__ const T *begin() const { static_assert(Contiguous, "begin() is for contiguous arrays"); return data_; }
    __device__ T *end() { return begin() + size_; }
    __device__ const T *end() const { return begin() + size_; }
};

template <int Rank, bool Narrow = false> class CIndexer {
    ptrdiff_t size_, shape_[Rank ? Rank : 1], index_[Rank ? Rank : 1];

public:
    typedef ptrdiff_t index_t;
    static const int ndim = Rank;

    // `layout`: size, shape.
    __device__ explicit CIndexer(const ptrdiff_t *layout) : size_(layout[0]) {
        index_[0] = 0;
#pragma unroll
        for (int axis = 0; axis < Rank; ++axis) shape_[axis] = layout[1 + axis];
    }
    __device__ ptrdiff_t size() const { return size_; }
    __device__ const ptrdiff_t *shape() const { return shape_; }
    // The position's index along each axis.
    __device__ const ptrdiff_t (&get() const)[Rank ? Rank : 1] { return index_; }
    __device__ void set(ptrdiff_t position) {
        typedef typename lanewise_expression::Position<Narrow>::type Unsigned;
        Unsigned rest = Unsigned(position);
#pragma unroll
        for (int axis = Rank - 1; axis > 0; --axis) {
            const Unsigned extent = Unsigned(shape_[axis]), above = rest / extent;
            index_[axis] = ptrdiff_t(rest - above * extent);
            rest = above;
        }
        if (Rank > 0) index_[0] = ptrdiff_t(rest);
    }
};

#define CUPY_FOR(i, n)                                                            \
    for (ptrdiff_t i = ptrdiff_t(blockIdx.x) * blockDim.x + threadIdx.x; i < (n); \
         i += ptrdiff_t(gridDim.x) * blockDim.x)
"""
