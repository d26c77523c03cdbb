#!/bin/bash
# On a machine with a GPU: installs a wheel into a folder of its own, runs the whole Python suite on every device there,
# then the benchmarks. Needs Python with NumPy and pytest, no virtual environment and no network. FOLDER gets info.txt,
# pytest.txt, benchmarks.txt and benchmarks.tar.gz with the tables as JSON and the plots.
# usage: scripts/gpu_check.sh WHEEL [--no-benchmarks] [--out FOLDER] [-- PYTEST-ARGUMENTS...]
set -uo pipefail
cd "$(dirname "$0")/.."

wheel=
benchmarks=yes
out=${OUT:-build/gpu-check}
while [ $# -gt 0 ]; do
  case $1 in
    --no-benchmarks) benchmarks=no; shift ;;
    --out) out=$2; shift 2 ;;
    --) shift; break ;;
    -*) echo "gpu_check.sh: unknown option $1" >&2; exit 2 ;;
    *) wheel=$1; shift ;;
  esac
done
if [ ! -f "$wheel" ]; then
  echo "usage: scripts/gpu_check.sh WHEEL [--no-benchmarks] [--out FOLDER] [-- PYTEST-ARGUMENTS...]" >&2
  exit 2
fi
python=${PYTHON:-python3}
mkdir -p "$out"
target=$(mktemp -d)
trap 'rm -rf "$target"' EXIT
"$python" -m pip install -q --disable-pip-version-check --no-deps --no-index --target "$target" "$wheel" || exit 1
export PYTHONPATH="$target" LANEWISE_CACHE_DIR="$target/cache" PATH="$target/bin:$PATH"

status=0
"$python" -m lanewise info | tee "$out/info.txt"
[ "${PIPESTATUS[0]}" -eq 0 ] || status=1
if ! "$python" -c 'import lanewise, sys; sys.exit(not lanewise.cuda.is_available())'; then
  echo "gpu_check.sh: no CUDA device is usable here" >&2
  status=1
fi
"$python" -m pytest -p no:cacheprovider "$@" 2>&1 | tee "$out/pytest.txt"
[ "${PIPESTATUS[0]}" -eq 0 ] || status=1
if [ "$benchmarks" = yes ]; then
  "$python" benchmarks/run.py --out "$target/benchmarks" 2>&1 | tee "$out/benchmarks.txt"
  [ "${PIPESTATUS[0]}" -eq 0 ] || status=1
  tar -czf "$out/benchmarks.tar.gz" -C "$target" benchmarks || status=1
fi
exit $status
