// A hash table of 64-bit keys with open addressing and linear probing. A key is claimed by one compare-and-swap and
// never moves, so no locks are needed. The capacity is a power of two; all keys of a fresh table are EMPTY.

using Word = unsigned long long;

constexpr Word EMPTY = ~0ull;
constexpr Word ABSENT = ~0ull;

/// A mixer of 64 bits in which every input bit changes half of the output bits on average.
__device__ inline Word mixed(Word key) {
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ull;
    key = (key ^ key >> 27) * 0x94d049bb133111ebull;
    return key ^ key >> 31;
}

/// The key's slot, claimed if the key is new; `capacity` when the table is full.
__device__ inline unsigned claim(Word* table, unsigned capacity, Word key) {
    unsigned slot = static_cast<unsigned>(mixed(key)) & (capacity - 1);
    for (unsigned probe = 0; probe < capacity; ++probe) {
        const Word found = atomicCAS(&table[slot], EMPTY, key);
        if (found == EMPTY || found == key) return slot;
        slot = (slot + 1) & (capacity - 1);
    }
    return capacity;
}

/// Adds values[i] to what the table holds for keys[i]. What finds no room is counted in *rejected.
extern "C" __global__ void table_add(const Word* keys, const Word* values, unsigned n, Word* table, Word* sums,
                                     unsigned capacity, unsigned* rejected) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned slot = claim(table, capacity, keys[i]);
    if (slot < capacity)
        atomicAdd(&sums[slot], values[i]);
    else
        atomicAdd(rejected, 1u);
}

/// out[i] = what the table holds for keys[i], or ABSENT.
extern "C" __global__ void table_find(const Word* keys, unsigned n, const Word* table, const Word* sums,
                                      unsigned capacity, Word* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Word key = keys[i];
    Word result = ABSENT;
    unsigned slot = static_cast<unsigned>(mixed(key)) & (capacity - 1);
    for (unsigned probe = 0; probe < capacity; ++probe) {
        const Word found = table[slot];
        if (found == key) result = sums[slot];
        if (found == key || found == EMPTY) break;
        slot = (slot + 1) & (capacity - 1);
    }
    out[i] = result;
}

/// All pairs of the table, in any order; *count starts at zero.
extern "C" __global__ void table_items(const Word* table, const Word* sums, unsigned capacity, Word* keys, Word* values,
                                       unsigned* count) {
    const unsigned slot = blockIdx.x * blockDim.x + threadIdx.x;
    if (slot >= capacity || table[slot] == EMPTY) return;
    const unsigned place = atomicAdd(count, 1u);
    keys[place] = table[slot];
    values[place] = sums[slot];
}
