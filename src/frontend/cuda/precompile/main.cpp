// A tool of the build: writes the precompiled prelude for code without options to the file it is given.
#include <cstdio>
#include <fstream>

#include "frontend/cuda/clang/invocation.h"
#include "frontend/cuda/clang/prelude.h"

int main(int count, char** words) {
    using namespace lanewise::cuda_cpp;
    if (count != 2) return 2;
    std::string log;
    const std::optional<std::string> bytes = precompile_prelude(language_arguments({}), log);
    if (!bytes) {
        std::fputs(log.c_str(), stderr);
        return 1;
    }
    std::ofstream file(words[1], std::ios::binary);
    file << *bytes;
    file.close();
    return file ? 0 : 1;
}
