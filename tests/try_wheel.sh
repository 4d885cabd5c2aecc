#!/bin/sh
# Usage: sh tests/try_wheel.sh PYTHON UV: installs dist/*.whl into an empty environment of that Python and runs it.
set -eu
python=$1 uv=$(realpath "$2") wheel=$(realpath dist/asker_audit-*.whl) pins=$(realpath requirements/audit.txt)
"$python" --version >/dev/null 2>&1 || { echo "==> $python is not here: not tried"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv --without-pip "$folder/env"
"$uv" pip install --quiet --python "$folder/env/bin/python" --constraint "$pins" "$wheel"
cd "$folder"
env/bin/asker --version
env/bin/asker --help >help.txt
env/bin/asker plan --budget 100 >plan.txt 2>&1
env/bin/asker run --target scripted:No. --budget 60 --judge rules --out run >run.txt 2>&1 || { cat run.txt; exit 1; }
test -s run/report.html
echo "==> works with $("$python" --version)"
