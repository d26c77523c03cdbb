#include "backend/cuda/nvcc.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "backend/cuda/cpp_log.h"
#include "base/cuda_places.h"
#include "base/env.h"
#include "base/file_identity.h"
#include "base/log.h"
#include "base/process.h"
#include "lanewise/error.h"

namespace lanewise::cuda {

namespace fs = std::filesystem;

namespace {

bool runs(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string search(std::string& searched) {
    if (auto chosen = env::text("LANEWISE_NVCC")) {
        searched = fmt::format("LANEWISE_NVCC={}", *chosen);
        return runs(*chosen) ? *chosen : "";
    }
    std::vector<std::string> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
        if (auto root = env::text(variable)) folders.push_back(*root + "/bin");
    const std::string path = env::text("PATH").value_or("");
    for (std::size_t begin = 0; begin < path.size();) {
        std::size_t end = std::min(path.find(':', begin), path.size());
        if (end > begin) folders.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    for (const std::string& root : cuda_roots()) folders.push_back(root + "/bin");
    for (const std::string& folder : folders)
        if (runs(folder + "/nvcc")) return folder + "/nvcc";
    searched = "CUDA_HOME, CUDA_PATH, PATH, the nvidia-* wheels and the usual places of CUDA toolkits";
    return "";
}

void write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << text) || !file.flush()) throw Error(ErrorKind::Value, fmt::format("cannot write {} for nvcc", path));
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(ErrorKind::Internal, fmt::format("nvcc has left no {}", path));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Calls what follows as the user does.
std::string line_directive(const std::string& name) {
    std::string escaped;
    for (char c : name) escaped += c == '\\' || c == '"' ? std::string{'\\', c} : std::string{c};
    return fmt::format("#line 1 \"{}\"\n", escaped);
}

/// The text under its name. Name expressions initialise references of the host behind it: that instantiates templates
/// and keeps variables; nvcc compiles no host code here.
std::string named_text(const cuda_cpp::Source& source) {
    const char* open = source.extern_c ? "extern \"C\" {\n" : "";
    const char* close = source.extern_c ? "\n}\n" : "\n";
    std::string text = fmt::format("{}{}{}{}", open, line_directive(source.file), source.text, close);
    for (std::size_t i = 0; i < source.name_expressions.size(); ++i) {
        const std::string& expression = source.name_expressions[i];
        text += fmt::format("{}__attribute__((unused)) static auto &&lanewise_name_{} = {};\n",
                            line_directive(fmt::format("name expression '{}'", expression)), i, expression);
    }
    return text;
}

}  // namespace

NvccFile find_nvcc() {
    NvccFile file;
    file.path = search(file.searched);
    if (!file.path.empty()) file.identity = fmt::format("{} {}", file.path, file_identity(file.path));
    return file;
}

void fail_without_nvcc(const NvccFile& file, const std::string& call) {
    throw Error(ErrorKind::DeviceUnavailable,
                fmt::format("{}: nvcc was not found (looked in {}); set CUDA_HOME or LANEWISE_NVCC, or compile with "
                            "backend=\"nvrtc\" or backend=\"clang\"",
                            call, file.searched));
}

Image compile_with_nvcc(const cuda_cpp::Source& source, const cuda_cpp::Options& options, const NvccFile& file,
                        const std::string& target, const std::string& keep_folder, bool with_text) {
    std::vector<std::string> arguments = {file.path};
    for (std::string& argument : cuda_cpp::nvcc_arguments(options)) arguments.push_back(std::move(argument));

    TemporaryFolder temporary;
    std::string folder = temporary.path();
    if (!keep_folder.empty()) {
        std::error_code error;
        fs::create_directories(keep_folder, error);
        if (error)
            throw Error(ErrorKind::Value, fmt::format("cannot make the folder {} to keep nvcc's files in: {}",
                                                      keep_folder, error.message()));
        folder = keep_folder;
        arguments.push_back("--keep");
        arguments.push_back("--keep-dir=" + folder);
    }
    const std::string text_file = folder + "/" + fs::path(source.file).stem().string() + ".cu";
    const std::string code_file = folder + "/lanewise.code";
    write_file(text_file, named_text(source));

    // The text's own folder, in which #include "..." looks first.
    const std::string own = fs::path(source.file).parent_path().string();
    arguments.insert(arguments.begin() + 1, "--include-path=" + (own.empty() ? "." : own));
    const int device = cuda_cpp::capability_of(target);
    const std::string asked = cuda_cpp::architecture_for(options, device);
    const std::string exact = asked.empty()                              ? target
                              : cuda_cpp::capability_of(asked) != device ? ""
                              : asked.starts_with("sm_")                 ? asked
                                                                         : target;
    // The driver compiles code for an older architecture, and links relocatable code.
    const bool ptx = exact.empty() || options.relocatable;
    const std::string architecture = exact.empty() ? fmt::format("compute_{}", cuda_cpp::capability_of(asked))
                                     : ptx         ? "compute_" + exact.substr(std::strlen("sm_"))
                                                   : exact;
    auto run = [&](const char* kind, const std::string& arch) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {kind, "--gpu-architecture=" + arch, "--output-file=" + code_file, text_file});
        log(LogLevel::Debug, [&] { return fmt::format("{}", fmt::join(all, " ")); });
        ProcessResult result = run_process(all, {{"TMPDIR", temporary.path()}});
        if (result.status != 0) fail_cpp("nvcc", source, result.output, "");
        return result.output;
    };
    Image image;
    image.target = target;
    const std::string output = run(ptx ? "--ptx" : "--cubin", architecture);
    std::string code = read_file(code_file);
    image.format = ptx ? ImageFormat::Ptx : ImageFormat::Cubin;
    image.bytes.assign(code.begin(), code.end());
    if (ptx) image.bytes.push_back(0);
    if (with_text && !ptx) {
        run("--ptx", architecture);
        code = read_file(code_file);
    }
    if (with_text) image.assembly = std::move(code);
    if (options.warnings) take_warnings(image, output);
    return image;
}

}  // namespace lanewise::cuda
