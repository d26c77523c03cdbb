#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/env.h"
#include "lanewise/error.h"

extern char** environ;

namespace lanewise {

namespace {

[[noreturn]] void fail(const std::string& what, int code) {
    throw Error(ErrorKind::Value, fmt::format("{}: {}", what, std::strerror(code)));
}

struct Descriptor {
    int number = -1;
    ~Descriptor() { close(); }
    void close() {
        if (number >= 0) ::close(number);
        number = -1;
    }
};

struct FileActions {
    posix_spawn_file_actions_t actions;
    FileActions() { posix_spawn_file_actions_init(&actions); }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions); }
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::vector<std::pair<std::string, std::string>>& environment) {
    Descriptor read_end, write_end;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail(arguments[0], errno);
    read_end.number = ends[0];
    write_end.number = ends[1];
    FileActions files;
    posix_spawn_file_actions_addopen(&files.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files.actions, write_end.number, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files.actions, write_end.number, STDERR_FILENO);

    std::vector<std::string> variables;
    for (char** variable = environ; *variable; ++variable) {
        std::string text = *variable;
        bool replaced = false;
        for (const auto& [name, value] : environment) replaced = replaced || text.starts_with(name + "=");
        if (!replaced) variables.push_back(std::move(text));
    }
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    std::vector<std::string> copied = arguments;
    pid_t process = 0;
    if (int code = ::posix_spawn(&process, arguments[0].c_str(), &files.actions, nullptr, pointers(copied).data(),
                                 pointers(variables).data());
        code != 0)
        fail(fmt::format("cannot run {}", arguments[0]), code);
    write_end.close();

    ProcessResult result;
    char buffer[4096];
    for (;;) {
        ssize_t got = ::read(read_end.number, buffer, sizeof buffer);
        if (got > 0)
            result.output.append(buffer, std::size_t(got));
        else if (got == 0 || errno != EINTR)
            break;
    }
    int status = 0;
    while (::waitpid(process, &status, 0) < 0)
        if (errno != EINTR) fail(fmt::format("waiting for {}", arguments[0]), errno);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

TemporaryFolder::TemporaryFolder() {
    path_ = env::text("TMPDIR").value_or("/tmp") + "/lanewise-XXXXXX";
    if (!::mkdtemp(path_.data())) fail(fmt::format("cannot make a folder {}", path_), errno);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

}  // namespace lanewise
