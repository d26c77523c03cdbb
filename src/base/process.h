// run_process: another program, run to its end without a shell. TemporaryFolder: where it may write.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lanewise {

struct ProcessResult {
    int status = 0;      ///< exit status; 128 + number for a signal
    std::string output;  ///< standard output and error, as they came
};

/// `arguments[0]` is the program's path. `environment`: variables to set beside this process's. Standard input is
/// empty. Error(Value) when the program cannot be started.
ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::vector<std::pair<std::string, std::string>>& environment = {});

/// A folder that only this user can enter, removed with all it contains.
class TemporaryFolder {
public:
    /// Below TMPDIR or /tmp. Error(Value) when it cannot be made.
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace lanewise
