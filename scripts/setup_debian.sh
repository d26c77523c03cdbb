#!/bin/bash
# Installs the Debian packages that the build needs, and only those that are missing.
set -euo pipefail

packages=(
  llvm-19-dev libclang-19-dev clang-19 lld-19 liblld-19-dev libpolly-19-dev libzstd-dev zlib1g-dev
  ccache ninja-build cmake make git libfmt-dev libgtest-dev libgmock-dev libxxhash-dev clang-format-19
)

# The Python that will make the virtual environment may be Debian's own or another one that needs nothing from Debian.
python=${PYTHON:-python3}
if ! "$python" -c 'import ensurepip, os, sysconfig, venv; \
    raise SystemExit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null; then
  packages+=(python3 python3-venv python3-dev)
fi

if ! command -v apt-get >/dev/null; then
  echo "setup_debian.sh: there is no apt-get here; install the counterparts of these packages: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "setup_debian.sh: not root and no sudo; ask an administrator to install: ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "Installing Debian packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
