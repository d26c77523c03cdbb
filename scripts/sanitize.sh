#!/bin/sh
# Builds the core and its C++ tests with sanitizers and runs them: AddressSanitizer with UndefinedBehaviorSanitizer, then
# ThreadSanitizer. The code generators are left out (LLVM itself is not instrumented).
#
#   scripts/sanitize.sh             both
#   scripts/sanitize.sh thread      one of: address thread
set -eu
cd "$(dirname "$0")/.."

run() {
    name=$1
    sanitizers=$2
    folder=build/$name
    cmake -G Ninja -S . -B "$folder" -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DLANEWISE_SANITIZE="$sanitizers" -DLANEWISE_TESTS=ON -DLANEWISE_PYTHON=OFF -DLANEWISE_LLVM_LINK=shared >/dev/null
    targets="test_base test_runtime test_cuda test_ir test_frontend test_jit"
    # shellcheck disable=SC2086  # a list of targets
    ninja -C "$folder" $targets
    for target in $targets; do
        echo "== $name: $target"
        "$folder/tests/cpp/$target" --gtest_brief=1
    done
}

export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
for name in ${1:-address thread}; do
    case $name in
        address) run address address,undefined ;;
        thread) run thread thread ;;
        *) echo "sanitize.sh: '$name' is neither address nor thread" >&2; exit 2 ;;
    esac
done
