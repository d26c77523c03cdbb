// clang's diagnostics as text, in its familiar form.
#pragma once

#include <string>
#include <vector>

#include "frontend/cuda/clang/clang.h"
#include "lanewise/error.h"

namespace lanewise::cuda_cpp {

/// Collects diagnostics: "file:line:column: error: text", the source line with a caret, fix-its and notes.
class Diagnostics : public clang::DiagnosticConsumer {
public:
    Diagnostics();
    ~Diagnostics() override;
    void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) override;
    void EndSourceFile() override;
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override;

    /// Adds an error of our own.
    void add_error(const std::string& text);

    bool has_errors() const { return errors_ > 0; }
    /// Error(Compile): the first error, the number of the others; all that was said in `log`.
    Error error(const std::string& file) const;
    /// One text each, notes included.
    std::vector<std::string> warnings() const;

private:
    struct Message {
        bool is_error = false;
        std::string text;
    };

    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> style_;
    std::unique_ptr<clang::TextDiagnostic> printer_;
    std::string piece_;
    llvm::raw_string_ostream stream_{piece_};
    const clang::Preprocessor* preprocessor_ = nullptr;
    std::vector<Message> messages_;
    std::size_t errors_ = 0;
};

}  // namespace lanewise::cuda_cpp
