// The twelve kernels as one would write them for a CPU in C++: the reference of benchmarks/kernels_cpu.py.
// Work is split over std::thread-like workers by OpenMP; each function does what one launch of the kernel does.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

using i64 = long long;

extern "C" {

void saxpy(float a, const float* x, i64 n, float* y, i64) {
#pragma omp parallel for simd
    for (i64 i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void strided_scale(float* x, i64 n, float factor) {
#pragma omp parallel for simd
    for (i64 i = 0; i < n; ++i) x[i] *= factor;
}

void transpose(const float* src, i64 rows, i64 cols, float* dst, i64, i64) {
#pragma omp parallel for collapse(2)
    for (i64 r0 = 0; r0 < rows; r0 += 32)
        for (i64 c0 = 0; c0 < cols; c0 += 32) {
            const i64 r1 = std::min(r0 + 32, rows), c1 = std::min(c0 + 32, cols);
            float tile[32][33];
            for (i64 r = r0; r < r1; ++r)
                for (i64 c = c0; c < c1; ++c) tile[r - r0][c - c0] = src[r * cols + c];
            for (i64 c = c0; c < c1; ++c)
                for (i64 r = r0; r < r1; ++r) dst[c * rows + r] = tile[r - r0][c - c0];
        }
}

void reduction(const float* x, i64 n, float* out, i64) {
    float total = 0;
#pragma omp parallel for simd reduction(+ : total)
    for (i64 i = 0; i < n; ++i) total += x[i];
    out[0] += total;
}

void histogram(const std::uint8_t* data, i64 n, int* bins, i64) {
#pragma omp parallel
    {
        int local[256] = {};
#pragma omp for nowait
        for (i64 i = 0; i < n; ++i) ++local[data[i]];
#pragma omp critical
        for (int b = 0; b < 256; ++b) bins[b] += local[b];
    }
}

void stencil(const float* src, i64 rows, i64 cols, float* dst, i64, i64) {
#pragma omp parallel for
    for (i64 y = 1; y < rows - 1; ++y) {
        const float* s = src + y * cols;
        float* d = dst + y * cols;
#pragma omp simd
        for (i64 x = 1; x < cols - 1; ++x) d[x] = 0.25f * (s[x - cols] + s[x + cols] + s[x - 1] + s[x + 1]);
    }
}

// The same tiling as the kernel: 16 x 16 tiles of a and b staged, one tile of c accumulated.
void matmul(const float* a, i64 m, i64 k, const float* b, i64, i64 n, float* c, i64, i64) {
#pragma omp parallel for collapse(2)
    for (i64 r0 = 0; r0 < m; r0 += 16)
        for (i64 c0 = 0; c0 < n; c0 += 16) {
            float sa[16][16], sb[16][16], total[16][16] = {};
            for (i64 t = 0; t < k; t += 16) {
                for (int y = 0; y < 16; ++y) {
                    std::memcpy(sa[y], a + (r0 + y) * k + t, sizeof sa[y]);
                    std::memcpy(sb[y], b + (t + y) * n + c0, sizeof sb[y]);
                }
                for (int y = 0; y < 16; ++y)
                    for (int i = 0; i < 16; ++i)
                        for (int x = 0; x < 16; ++x) total[y][x] += sa[y][i] * sb[i][x];
            }
            for (int y = 0; y < 16; ++y) std::memcpy(c + (r0 + y) * n + c0, total[y], sizeof total[y]);
        }
}

void mandelbrot(int* image, i64 rows, i64 cols, float left, float top, float step, int limit) {
#pragma omp parallel for schedule(dynamic, 4)
    for (i64 y = 0; y < rows; ++y)
        for (i64 x = 0; x < cols; ++x) {
            const float cr = left + float(x) * step, ci = top + float(y) * step;
            float zr = 0, zi = 0;
            int n = 0;
            while (n < limit && zr * zr + zi * zi < 4.0f) {
                const float t = zr * zr - zi * zi + cr;
                zi = 2.0f * zr * zi + ci;
                zr = t;
                ++n;
            }
            image[y * cols + x] = n;
        }
}

void nbody(const float* px, i64 n, const float* py, i64, const float* pz, i64, const float* mass, i64, float* ax, i64,
           float* ay, i64, float* az, i64) {
#pragma omp parallel for
    for (i64 i = 0; i < n; ++i) {
        const float x = px[i], y = py[i], z = pz[i];
        float fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
        for (i64 j = 0; j < n; ++j) {
            const float dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
            const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-4f);
            const float s = mass[j] * inverse * inverse * inverse;
            fx += s * dx;
            fy += s * dy;
            fz += s * dz;
        }
        ax[i] = fx;
        ay[i] = fy;
        az[i] = fz;
    }
}

void black_scholes(const float* spot, i64 n, const float* strike, i64, const float* years, i64, float rate,
                   float volatility, float* call, i64, float* put, i64) {
#pragma omp parallel for simd
    for (i64 i = 0; i < n; ++i) {
        const float s = spot[i], k = strike[i], t = years[i], root = std::sqrt(t);
        const float d1 = (std::log(s / k) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        const float d2 = d1 - volatility * root;
        const float n1 = 0.5f * std::erfc(-d1 * 0.70710678f), n2 = 0.5f * std::erfc(-d2 * 0.70710678f);
        const float discounted = k * std::exp(-rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}

// Prefix sums of blocks of 1024 by the kernel's algorithm (log2 steps over a block-local buffer).
void scan(const int* x, i64 n, int* out, i64) {
#pragma omp parallel for
    for (i64 block = 0; block < n; block += 1024) {
        int buffer[1024], next[1024];
        std::memcpy(buffer, x + block, sizeof buffer);
        for (int offset = 1; offset < 1024; offset *= 2) {
            std::memcpy(next, buffer, offset * sizeof(int));
#pragma omp simd
            for (int t = offset; t < 1024; ++t) next[t] = buffer[t] + buffer[t - offset];
            std::memcpy(buffer, next, sizeof buffer);
        }
        std::memcpy(out + block, buffer, sizeof buffer);
    }
}

void warp_reduction(const float* x, i64 n, float* out, i64) {
    reduction(x, n, out, 1);
}

}  // extern "C"
