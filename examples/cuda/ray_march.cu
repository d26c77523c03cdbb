// A ray marcher: steps along each pixel's ray by the distance to the nearest surface of a scene given as a signed
// distance function.

struct Vec3 {
    float x, y, z;

    __device__ Vec3 operator+(Vec3 o) const { return {x + o.x, y + o.y, z + o.z}; }
    __device__ Vec3 operator-(Vec3 o) const { return {x - o.x, y - o.y, z - o.z}; }
    __device__ Vec3 operator*(float s) const { return {x * s, y * s, z * s}; }
    __device__ Vec3 operator-() const { return {-x, -y, -z}; }
};

__device__ inline float dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ inline float length(Vec3 a) {
    return sqrtf(dot(a, a));
}
__device__ inline Vec3 normalized(Vec3 a) {
    return a * (1.0f / length(a));
}
__device__ inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Sphere {
    Vec3 centre;
    float radius;
    __device__ float operator()(Vec3 p) const { return length(p - centre) - radius; }
};

struct Torus {
    Vec3 centre;
    float ring, tube;
    __device__ float operator()(Vec3 p) const {
        const Vec3 q = p - centre;
        const float around = sqrtf(q.x * q.x + q.z * q.z) - ring;
        return sqrtf(around * around + q.y * q.y) - tube;
    }
};

struct Box {
    Vec3 centre, half;
    __device__ float operator()(Vec3 p) const {
        const Vec3 q = p - centre;
        const Vec3 d{fabsf(q.x) - half.x, fabsf(q.y) - half.y, fabsf(q.z) - half.z};
        const Vec3 outside{fmaxf(d.x, 0.0f), fmaxf(d.y, 0.0f), fmaxf(d.z, 0.0f)};
        return length(outside) + fminf(fmaxf(d.x, fmaxf(d.y, d.z)), 0.0f);
    }
};

/// The union of shapes is the least of their distances.
template <typename Shape>
__device__ float nearest(Vec3 p, Shape shape) {
    return shape(p);
}
template <typename Shape, typename... Rest>
__device__ float nearest(Vec3 p, Shape shape, Rest... rest) {
    return fminf(shape(p), nearest(p, rest...));
}

/// Distance along the ray to the surface, or `limit` and more when there is none.
template <typename Scene>
__device__ float march(const Scene& scene, Vec3 origin, Vec3 direction, int steps, float limit) {
    float travelled = 0;
    for (int i = 0; i < steps && travelled < limit; ++i) {
        const float distance = scene(origin + direction * travelled);
        if (distance < 1e-4f * (1.0f + travelled)) return travelled;
        travelled += distance;
    }
    return limit;
}

/// The gradient of the scene by central differences.
template <typename Scene>
__device__ Vec3 normal(const Scene& scene, Vec3 p) {
    constexpr float H = 1e-3f;
    const auto slope = [&](Vec3 axis) { return scene(p + axis * H) - scene(p - axis * H); };
    return normalized({slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})});
}

struct Camera {
    Vec3 eye, target;
    float zoom;

    __device__ Vec3 ray(float u, float v) const {
        const Vec3 forward = normalized(target - eye);
        const Vec3 right = normalized(cross(forward, {0, 1, 0})), up = cross(right, forward);
        return normalized(right * u + up * v + forward * zoom);
    }
};

/// depth and brightness of each pixel; where no surface is met, `LIMIT` and zero. Twist adds to the scene a term that
/// is not a distance, so steps are shortened.
template <bool TWIST>
__global__ void render(float* depth, float* brightness, int width, int height, Camera camera) {
    constexpr float LIMIT = 20;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const Sphere sphere{{0.0f, 1.0f, 0.0f}, 1.0f};
    const Torus torus{{2.2f, 0.6f, 0.4f}, 0.8f, 0.3f};
    const Box box{{-2.2f, 0.7f, 0.2f}, {0.6f, 0.7f, 0.5f}};
    const auto scene = [=](Vec3 p) {
        const auto ground = [](Vec3 q) { return q.y; };
        float distance = nearest(p, sphere, torus, box, ground);
        if constexpr (TWIST) distance = 0.6f * (distance + 0.05f * sinf(5 * p.x) * sinf(5 * p.y) * sinf(5 * p.z));
        return distance;
    };
    const float scale = 2.0f / height;
    const Vec3 direction = camera.ray((x + 0.5f - 0.5f * width) * scale, (0.5f * height - y - 0.5f) * scale);
    const float travelled = march(scene, camera.eye, direction, 160, LIMIT);
    float light = 0;
    if (travelled < LIMIT) {
        const Vec3 hit = camera.eye + direction * travelled;
        const Vec3 n = normal(scene, hit), sun = normalized({0.6f, 0.8f, -0.4f});
        const float lit = march(scene, hit + n * 0.02f, sun, 80, 10.0f) >= 10.0f ? 1.0f : 0.3f;
        light = 0.1f + 0.9f * lit * fmaxf(dot(n, sun), 0.0f);
    }
    depth[y * width + x] = travelled;
    brightness[y * width + x] = light;
}
