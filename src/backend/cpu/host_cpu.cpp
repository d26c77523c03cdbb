#include "backend/cpu/host_cpu.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>

#include "base/env.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace lanewise::cpu {

namespace {

/// The text after ':' of the first line of /proc/cpuinfo that starts with `key`.
std::string cpuinfo(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        std::size_t first = line.find_first_not_of(" \t", colon + 1);
        return first == std::string::npos ? "" : line.substr(first);
    }
    return "";
}

/// Whole cores' worth of time the control group allows; 0: no bound.
int quota_cores() {
    std::ifstream file("/sys/fs/cgroup/cpu.max");
    std::string quota;
    double period = 0;
    if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
    std::istringstream number(quota);
    double time = 0;
    if (!(number >> time)) return 0;
    return std::max(1, static_cast<int>((time + period - 1) / period));
}

#if defined(__x86_64__)

enum Register { Eax, Ebx, Ecx, Edx };
enum class State : std::uint8_t { None, Avx, Avx512 };

/// A feature's bit in CPUID, and the register state the operating system must save for it.
struct Feature {
    const char* name;
    std::uint32_t leaf, subleaf;
    Register reg;
    std::uint8_t bit;
    State state = State::None;
};

constexpr Feature features[] = {
    {"sse3", 1, 0, Ecx, 0},
    {"pclmul", 1, 0, Ecx, 1},
    {"ssse3", 1, 0, Ecx, 9},
    {"fma", 1, 0, Ecx, 12, State::Avx},
    {"cx16", 1, 0, Ecx, 13},
    {"sse4.1", 1, 0, Ecx, 19},
    {"sse4.2", 1, 0, Ecx, 20},
    {"movbe", 1, 0, Ecx, 22},
    {"popcnt", 1, 0, Ecx, 23},
    {"aes", 1, 0, Ecx, 25},
    {"avx", 1, 0, Ecx, 28, State::Avx},
    {"f16c", 1, 0, Ecx, 29, State::Avx},
    {"rdrnd", 1, 0, Ecx, 30},
    {"bmi", 7, 0, Ebx, 3},
    {"avx2", 7, 0, Ebx, 5, State::Avx},
    {"bmi2", 7, 0, Ebx, 8},
    {"avx512f", 7, 0, Ebx, 16, State::Avx512},
    {"avx512dq", 7, 0, Ebx, 17, State::Avx512},
    {"rdseed", 7, 0, Ebx, 18},
    {"adx", 7, 0, Ebx, 19},
    {"avx512ifma", 7, 0, Ebx, 21, State::Avx512},
    {"avx512cd", 7, 0, Ebx, 28, State::Avx512},
    {"sha", 7, 0, Ebx, 29},
    {"avx512bw", 7, 0, Ebx, 30, State::Avx512},
    {"avx512vl", 7, 0, Ebx, 31, State::Avx512},
    {"avx512vbmi", 7, 0, Ecx, 1, State::Avx512},
    {"avx512vbmi2", 7, 0, Ecx, 6, State::Avx512},
    {"gfni", 7, 0, Ecx, 8},
    {"vaes", 7, 0, Ecx, 9, State::Avx},
    {"vpclmulqdq", 7, 0, Ecx, 10, State::Avx},
    {"avx512vnni", 7, 0, Ecx, 11, State::Avx512},
    {"avx512bitalg", 7, 0, Ecx, 12, State::Avx512},
    {"avx512vpopcntdq", 7, 0, Ecx, 14, State::Avx512},
    {"avx512vp2intersect", 7, 0, Edx, 8, State::Avx512},
    {"avx512fp16", 7, 0, Edx, 23, State::Avx512},
    {"avxvnni", 7, 1, Eax, 4, State::Avx},
    {"avx512bf16", 7, 1, Eax, 5, State::Avx512},
    {"avxifma", 7, 1, Eax, 23, State::Avx},
    {"avxvnniint8", 7, 1, Edx, 4, State::Avx},
    {"avxneconvert", 7, 1, Edx, 5, State::Avx},
    {"sahf", 0x80000001, 0, Ecx, 0},
    {"lzcnt", 0x80000001, 0, Ecx, 5},
    {"sse4a", 0x80000001, 0, Ecx, 6},
    {"prfchw", 0x80000001, 0, Ecx, 8},
};

std::uint64_t enabled_state() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 27))) return 0;
    unsigned low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (std::uint64_t{high} << 32) | low;
}

std::string feature_list() {
    std::uint64_t state = enabled_state();
    bool avx = (state & 0x6) == 0x6;
    bool avx512 = avx && (state & 0xe0) == 0xe0;
    std::string list;
    for (const Feature& feature : features) {
        unsigned regs[4] = {};
        if (!__get_cpuid_count(feature.leaf, feature.subleaf, &regs[Eax], &regs[Ebx], &regs[Ecx], &regs[Edx])) continue;
        if (!(regs[feature.reg] >> feature.bit & 1)) continue;
        if ((feature.state == State::Avx && !avx) || (feature.state == State::Avx512 && !avx512)) continue;
        list += (list.empty() ? "+" : ",+") + std::string(feature.name);
    }
    return list;
}

constexpr const char* architecture = "x86_64";

#elif defined(__aarch64__)

struct Feature {
    const char* name;
    unsigned long capability;
    unsigned long word;
};

constexpr Feature features[] = {
    {"fp-armv8", HWCAP_FP, AT_HWCAP},      {"neon", HWCAP_ASIMD, AT_HWCAP},   {"aes", HWCAP_AES, AT_HWCAP},
    {"sha2", HWCAP_SHA2, AT_HWCAP},        {"crc", HWCAP_CRC32, AT_HWCAP},    {"lse", HWCAP_ATOMICS, AT_HWCAP},
    {"fullfp16", HWCAP_FPHP, AT_HWCAP},    {"rdm", HWCAP_ASIMDRDM, AT_HWCAP}, {"jsconv", HWCAP_JSCVT, AT_HWCAP},
    {"complxnum", HWCAP_FCMA, AT_HWCAP},   {"rcpc", HWCAP_LRCPC, AT_HWCAP},   {"dotprod", HWCAP_ASIMDDP, AT_HWCAP},
    {"fp16fml", HWCAP_ASIMDFHM, AT_HWCAP}, {"sve", HWCAP_SVE, AT_HWCAP},
#ifdef HWCAP2_SVE2
    {"sve2", HWCAP2_SVE2, AT_HWCAP2},
#endif
#ifdef HWCAP2_BF16
    {"bf16", HWCAP2_BF16, AT_HWCAP2},      {"i8mm", HWCAP2_I8MM, AT_HWCAP2},
#endif
};

std::string feature_list() {
    std::string list;
    for (const Feature& feature : features)
        if (getauxval(feature.word) & feature.capability)
            list += (list.empty() ? "+" : ",+") + std::string(feature.name);
    return list;
}

constexpr const char* architecture = "aarch64";

#else
#error "the cpu device knows x86_64 and aarch64"
#endif

}  // namespace

std::string host_model_name() {
    std::string name = cpuinfo("model name");
    if (!name.empty()) return name;
    std::string implementer = cpuinfo("CPU implementer");
    return implementer.empty()
               ? std::string(architecture) + " processor"
               : std::string(architecture) + " processor, implementer " + implementer + ", part " + cpuinfo("CPU part");
}

std::string host_target() {
    std::string list = feature_list();
    return list.empty() ? architecture : std::string(architecture) + ":" + list;
}

int usable_cores() {
    if (auto wanted = env::integer("LANEWISE_CPU_THREADS", 1, 4096)) return static_cast<int>(*wanted);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int cores = static_cast<int>(std::max(1L, online));
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) cores = std::max(1, CPU_COUNT(&mask));
    int quota = quota_cores();
    return quota ? std::min(cores, quota) : cores;
}

int host_clock_khz() {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    int khz = 0;
    if (file >> khz) return khz;
    std::istringstream mhz(cpuinfo("cpu MHz"));
    double value = 0;
    return mhz >> value ? static_cast<int>(value * 1000) : 0;
}

long host_cache_bytes() {
    for (int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
        if (long bytes = sysconf(level); bytes > 0) return bytes;
    return 0;
}

unsigned long long cycle_counter() {
#if defined(__x86_64__)
    return __rdtsc();
#else
    unsigned long long ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}

}  // namespace lanewise::cpu
