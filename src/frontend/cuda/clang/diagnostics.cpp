#include "frontend/cuda/clang/diagnostics.h"

#include <clang/Basic/DiagnosticLex.h>
#include <fmt/format.h>

#include "frontend/cuda/clang/invocation.h"

namespace lanewise::cuda_cpp {

namespace {

/// "[-Wdivision-by-zero]": the option that switches a warning off.
std::string option_of(const clang::Diagnostic& diagnostic) {
    const llvm::StringRef option = clang::DiagnosticIDs::getWarningOptionForDiag(diagnostic.getID());
    return option.empty() ? "" : fmt::format(" [-W{}]", option.str());
}

/// Where an #include looked.
std::string searched_folders(const clang::Preprocessor& preprocessor) {
    std::string folders;
    for (const clang::DirectoryLookup& folder : preprocessor.getHeaderSearchInfo().search_dir_range()) {
        const llvm::StringRef name = folder.getName();
        if (!folders.empty()) folders += ", ";
        folders += name == header_folder ? "the headers that come with lanewise" : name.str();
    }
    return folders;
}

}  // namespace

Diagnostics::Diagnostics() : style_(new clang::DiagnosticOptions) {
    style_->ShowCarets = true;
    style_->ShowColors = false;
    style_->MessageLength = 0;
    style_->SnippetLineLimit = 4;
    style_->ShowLineNumbers = true;
    style_->ShowPresumedLoc = true;
}

Diagnostics::~Diagnostics() = default;

void Diagnostics::BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) {
    preprocessor_ = preprocessor;
    printer_ = std::make_unique<clang::TextDiagnostic>(stream_, language, style_.get(), preprocessor);
}

void Diagnostics::EndSourceFile() {
    printer_.reset();
    preprocessor_ = nullptr;
}

void Diagnostics::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    if (level == clang::DiagnosticsEngine::Warning) text += option_of(diagnostic);
    piece_.clear();
    if (printer_ && diagnostic.getLocation().isValid()) {
        printer_->emitDiagnostic(clang::FullSourceLoc(diagnostic.getLocation(), diagnostic.getSourceManager()), level,
                                 text, diagnostic.getRanges(), diagnostic.getFixItHints());
        if (diagnostic.getID() == clang::diag::err_pp_file_not_found && preprocessor_)
            piece_ += fmt::format("searched: the folder of the file, {}\n", searched_folders(*preprocessor_));
    } else {
        clang::TextDiagnostic::printDiagnosticLevel(stream_, level, /*ShowColors=*/false);
        stream_ << text << '\n';
    }
    const bool is_error = level >= clang::DiagnosticsEngine::Error;
    // A note belongs to what it follows.
    if (level <= clang::DiagnosticsEngine::Remark && !messages_.empty()) {
        messages_.back().text += piece_;
        return;
    }
    errors_ += is_error;
    messages_.push_back({is_error, piece_});
}

void Diagnostics::add_error(const std::string& text) {
    ++errors_;
    messages_.push_back({true, "error: " + text + "\n"});
}

Error Diagnostics::error(const std::string& file) const {
    std::string first, all;
    for (const Message& message : messages_) {
        if (message.is_error && first.empty()) first = message.text;
        all += message.text;
    }
    while (!first.empty() && first.back() == '\n') first.pop_back();
    std::string text = fmt::format("{} does not compile as CUDA C++:\n{}", file, first);
    if (errors_ > 1) text += fmt::format("\n({} more error{})", errors_ - 1, errors_ == 2 ? "" : "s");
    Error error(ErrorKind::Compile, text);
    error.log = all;
    return error;
}

std::vector<std::string> Diagnostics::warnings() const {
    std::vector<std::string> texts;
    for (const Message& message : messages_) {
        if (message.is_error) continue;
        texts.push_back(message.text);
        while (!texts.back().empty() && texts.back().back() == '\n') texts.back().pop_back();
    }
    return texts;
}

}  // namespace lanewise::cuda_cpp
