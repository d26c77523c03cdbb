#include "compile.h"

namespace lanewise::test {

namespace {

CompileOptions with_text(const cuda_cpp::Options& options) {
    CompileOptions result;
    result.contract = options.contract;
    result.fastmath = options.fast_math;
    result.line_info = options.line_info;
    result.debug = options.debug;
    result.keep_text = true;
    return result;
}

}  // namespace

Image compile_for_cuda(const Request& request) {
    return lanewise_compiler()->compile_cuda(request.source, request.options, DeviceKind::Cuda, request.target,
                                             with_text(request.options));
}

Image compile_for_cpu(const Request& request) {
    return lanewise_compiler()->compile_cuda(request.source, request.options, DeviceKind::Cpu, cpu_device().target(),
                                             with_text(request.options));
}

Image describe(const Request& request) {
    return lanewise_compiler()->describe_cuda(request.source, request.options, request.target);
}

Request text(const std::string& code, const std::vector<std::string>& names) {
    Request request;
    request.source.text = code;
    request.source.name_expressions = names;
    return request;
}

Error error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return {ErrorKind::Internal, ""};
}

Error error_of(const Request& request) {
    return error_of([&] { compile_for_cuda(request); });
}

std::shared_ptr<Module> load(const Request& request) {
    return cpu_device().load(compile_for_cpu(request));
}

}  // namespace lanewise::test
