// clang's diagnostics as text, in its familiar form.
#pragma once

#include <string>
#include <vector>

#include "frontend/cuda/clang/clang.h"
#include "frontend/cuda/clang/invocation.h"
#include "lanewise/error.h"

namespace lanewise::cuda_cpp {

/// Collects diagnostics: "file:line:column: error: text", the source line with a caret, fix-its and notes.
class Diagnostics : public clang::DiagnosticConsumer {
public:
    explicit Diagnostics(const ClangText& text);
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
        bool in_text = true;  ///< not in what stands around the user's text
        std::string text;
    };
    enum class Part : std::uint8_t { Before, Text, After };
    Part part_of(const clang::Diagnostic& diagnostic) const;
    /// Adds a constant text of this file.
    void add_hint(const char* hint);

    const ClangText& text_;
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> style_;
    std::unique_ptr<clang::TextDiagnostic> printer_;
    std::string piece_;
    llvm::raw_string_ostream stream_{piece_};
    const clang::Preprocessor* preprocessor_ = nullptr;
    std::vector<Message> messages_;
    std::size_t errors_ = 0;
    std::vector<const char*> hints_;  ///< lines for the end of the error, each once
};

}  // namespace lanewise::cuda_cpp
