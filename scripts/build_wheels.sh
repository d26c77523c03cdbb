#!/bin/bash
# Builds one wheel for each CPython 3.10 to 3.13 found on PATH or under pyenv, into dist/.
# usage: scripts/build_wheels.sh [VERSION...]     e.g. scripts/build_wheels.sh 3.12
set -euo pipefail
cd "$(dirname "$0")/.."
export CXX=${CXX:-clang++-19} CCACHE_BASEDIR= CCACHE_SLOPPINESS=pch_defines,time_macros
versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(3.10 3.11 3.12 3.13)

# Prints the path of a CPython of this version that really starts and has its headers.
find_python() {
  local candidate
  for candidate in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1"*/bin/python3 "/usr/bin/python$1" "$(command -v "python$1" || true)"; do
    [ -x "$candidate" ] || continue
    "$candidate" -c "import sys, os, sysconfig, venv
raise SystemExit(not ('%d.%d' % sys.version_info[:2] == '$1' and sys.implementation.name == 'cpython'
  and os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h'))))" 2>/dev/null || continue
    echo "$candidate"
    return
  done
}

# The newest glibc symbol version that any library in the wheel asks for: what the platform tag promises.
newest_glibc() {
  local folder
  folder=$(mktemp -d)
  "$1" -m zipfile -e "$2" "$folder"
  find "$folder" -name '*.so' -exec objdump -T {} + | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1 | sed 's/GLIBC_//'
  rm -rf "$folder"
}

mkdir -p dist build/wheels
built=0
for version in "${versions[@]}"; do
  python=$(find_python "$version")
  if [ -z "$python" ]; then
    echo "CPython $version: not found, no wheel" >&2
    continue
  fi
  environment=build/wheels/venv-$version
  [ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
  "$environment/bin/python" -m pip install -q --disable-pip-version-check \
    "$(grep '^scikit-build-core==' requirements-dev.txt)" "$(grep '^nanobind==' requirements-dev.txt)" wheel==0.45.1
  output=build/wheels/$version
  rm -rf "$output"
  "$environment/bin/python" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$output" \
    --config-settings=install.strip=true .
  wheel=$(ls "$output"/*.whl)
  glibc=$(newest_glibc "$environment/bin/python" "$wheel")
  "$environment/bin/python" -m wheel tags --remove \
    --platform-tag "manylinux_${glibc//./_}_$(uname -m)" "$wheel" > /dev/null
  mv "$output"/*.whl dist/
  built=$((built + 1))
done
ls -l dist
[ "$built" -gt 0 ]
