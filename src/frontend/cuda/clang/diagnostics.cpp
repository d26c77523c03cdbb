#include "frontend/cuda/clang/diagnostics.h"

#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <fmt/format.h>

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

constexpr char host_function_hint[] =
    "A function without __device__ is for the host alone, as in nvcc: declare it __device__, or compile with "
    "--device-as-default-execution-space.\n";

constexpr char host_variable_hint[] =
    "A variable without __device__ or __constant__ is for the host alone, as in nvcc: declare it one of them, or "
    "constexpr.\n";

constexpr char kernel_hint[] = "clang compiles no launches from within kernels; the backends nvrtc and nvcc do.\n";

constexpr char header_hint[] =
    "-I adds a folder; headers of the host's code are left out with #ifndef __CUDACC_RTC__, as for NVRTC.\n";

constexpr char texture_hint[] =
    "There are no textures and surfaces: pass a pointer, and read it through const __restrict__ or __ldg().\n";

/// Whether a message is about a name that belongs to textures or surfaces.
bool names_texture(llvm::StringRef message) {
    return llvm::any_of(llvm::ArrayRef<const char*>{"template named 'texture'", "template named 'surface'",
                                                    "'cudaTextureObject_t'", "'cudaSurfaceObject_t'", "'tex1Dfetch'",
                                                    "'tex1D'", "'tex2D'", "'tex3D'", "'surf2Dread'", "'surf2Dwrite'"},
                        [&](const char* name) { return message.contains(name); });
}

}  // namespace

Diagnostics::Diagnostics(const ClangText& text) : text_(text), style_(new clang::DiagnosticOptions) {
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

Diagnostics::Part Diagnostics::part_of(const clang::Diagnostic& diagnostic) const {
    if (diagnostic.getLocation().isInvalid()) return Part::Text;
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    const auto [file, offset] = sources.getDecomposedExpansionLoc(diagnostic.getLocation());
    if (file != sources.getMainFileID()) return Part::Text;
    return offset < text_.begin ? Part::Before : offset <= text_.end ? Part::Text : Part::After;
}

void Diagnostics::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    const bool is_error = level >= clang::DiagnosticsEngine::Error;
    const bool is_note = level < clang::DiagnosticsEngine::Warning;
    const Part part = part_of(diagnostic);
    // Users know nothing of what is before their text, nor need they know of warnings about what is after it.
    if (part != Part::Text && !is_error && (part == Part::Before || !is_note)) return;

    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    if (level == clang::DiagnosticsEngine::Warning) text += option_of(diagnostic);
    piece_.clear();
    if (printer_ && diagnostic.getLocation().isValid()) {
        const clang::SourceManager& sources = diagnostic.getSourceManager();
        clang::SourceLocation location = diagnostic.getLocation();
        // What is missing at the end of the file is missing at the end of the user's text.
        const bool is_missing = part == Part::After && diagnostic.getID() == clang::diag::err_expected;
        if (is_missing)
            location = sources.getLocForStartOfFile(sources.getMainFileID())
                           .getLocWithOffset(static_cast<int>(text_.end ? text_.end - 1 : 0));
        // The variable that a name expression initialises is none of the user's.
        if (part == Part::After && diagnostic.getID() == clang::diag::err_auto_var_deduction_failure &&
            diagnostic.getNumRanges() > 0) {
            location = diagnostic.getRange(0).getBegin();
            text = "it names several functions; a cast to the type of the one that is meant chooses";
        }
        printer_->emitDiagnostic(clang::FullSourceLoc(location, sources), level, text,
                                 is_missing ? llvm::ArrayRef<clang::CharSourceRange>() : diagnostic.getRanges(),
                                 is_missing ? llvm::ArrayRef<clang::FixItHint>() : diagnostic.getFixItHints());
        if (diagnostic.getID() == clang::diag::err_pp_file_not_found && preprocessor_) {
            piece_ += fmt::format("searched: the folder of the file, {}\n", searched_folders(*preprocessor_));
            add_hint(header_hint);
        }
        const bool is_reference = diagnostic.getID() == clang::diag::err_ref_bad_target ||
                                  diagnostic.getID() == clang::diag::note_ovl_candidate_bad_target;
        if (is_reference && part == Part::Text) {
            if (text.str().contains(" to __host__ function")) add_hint(host_function_hint);
            if (text.str().contains(" to __host__ variable")) add_hint(host_variable_hint);
            if (text.str().contains(" to __global__ function")) add_hint(kernel_hint);
        }
        if (is_error && names_texture(text)) add_hint(texture_hint);
        if (is_missing) {
            messages_.push_back({true, true, piece_});
            ++errors_;
            return;
        }
    } else {
        clang::TextDiagnostic::printDiagnosticLevel(stream_, level, /*ShowColors=*/false);
        stream_ << text << '\n';
    }
    // A note belongs to what it follows.
    if (is_note && !messages_.empty()) {
        messages_.back().text += piece_;
        return;
    }
    errors_ += is_error;
    messages_.push_back({is_error, part == Part::Text, piece_});
}

void Diagnostics::add_hint(const char* hint) {
    if (!llvm::is_contained(hints_, hint)) hints_.push_back(hint);
}

void Diagnostics::add_error(const std::string& text) {
    ++errors_;
    messages_.push_back({true, true, "error: " + text + "\n"});
}

Error Diagnostics::error(const std::string& file) const {
    // An error in the text may cause others in the name expressions after it.
    const Message* first = nullptr;
    std::string all;
    for (const Message& message : messages_) {
        if (message.is_error && (!first || (message.in_text && !first->in_text))) first = &message;
        all += message.text;
    }
    std::string text = fmt::format("{} does not compile as CUDA C++:\n{}", file, first ? first->text : "");
    for (const char* hint : hints_) {
        text += hint;
        all += hint;
    }
    text.erase(text.find_last_not_of('\n') + 1);
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
