// A tool of the build: writes lanewise_embedded_preludes (prelude.h) to the file it is given.
#include <cstdio>
#include <fstream>

#include "frontend/cuda/clang/prelude.h"

namespace {

void pad(std::string& bytes) {
    bytes.resize((bytes.size() + 15) / 16 * 16);
}

}  // namespace

int main(int count, char** words) {
    using namespace lanewise::cuda_cpp;
    if (count != 2) return 2;
    std::string sizes, texts, log;
    for (const Prelude& prelude : embedded_preludes()) {
        const std::optional<std::string> bytes = precompile(prelude, log);
        if (!bytes) {
            std::fputs(log.c_str(), stderr);
            return 1;
        }
        for (int byte = 0; byte < 8; ++byte) sizes += static_cast<char>(bytes->size() >> 8 * byte);
        texts += *bytes;
        pad(texts);
    }
    pad(sizes);
    std::ofstream file(words[1], std::ios::binary);
    file << sizes << texts;
    file.close();
    return file ? 0 : 1;
}
