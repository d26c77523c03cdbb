// Which files a CUDA C++ text can include: what a cache key has to cover beside the text.
#pragma once

#include <string>
#include <vector>

#include "frontend/cuda/options.h"
#include "lanewise/cuda_cpp.h"

namespace lanewise::cuda_cpp {

struct IncludeScan {
    /// Of all files found, by name and content; equal while a compile reads the same files.
    std::string hash;
    /// The user's files that the text can include, directly or not, as the preprocessor names them.
    std::vector<std::string> files;
    /// Names that none of the user's folders has: headers of the compiler or the toolkit, or missing.
    std::vector<std::string> not_found;
    /// Not empty when the files cannot be known from the text: where and why ("a.h:3: #include MACRO ...").
    std::string unknown;
};

/// Follows each #include, #include_next and __has_include of the text, of the files found and of -include, whether or
/// not a condition of the preprocessor leaves it out: so the files are those of the compile, and perhaps more. Folders
/// are searched in the preprocessor's order on each call. Files in a folder of the CUDA toolkit count by their size and
/// time and are not entered.
IncludeScan scan_includes(const Source& source, const Options& options);

/// An include as a text spells it.
struct Include {
    std::string name;  ///< between the quotes or brackets; the whole rest of the line when `computed`
    bool quoted = false;
    bool next = false;      ///< #include_next
    bool computed = false;  ///< neither quotes nor brackets: a macro
    int line = 0;
};
/// All of one text in order; comments, string literals and continued lines are understood.
std::vector<Include> includes_of(const std::string& text);

}  // namespace lanewise::cuda_cpp
