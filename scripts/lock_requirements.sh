#!/usr/bin/env bash
# Renew requirements/*.txt: exact versions with hashes for every platform and Python, no index URLs.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=.venv/bin/uv
compile() {  # NAME, then arguments of uv pip compile
  local name=$1; shift
  "$uv" --quiet pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
    --no-header --no-annotate --no-emit-find-links "$@" --output-file "requirements/$name.txt"
}
echo "uv" | compile uv -
printf 'hatchling==1.33.0\neditables\n' | compile build -
# The largest set first, so that the smaller ones are parts of it and the extras can be added later.
compile extras pyproject.toml --all-extras --group dev
compile run pyproject.toml --extra communities --constraint requirements/extras.txt
compile dev pyproject.toml --extra communities --group dev --constraint requirements/extras.txt
if grep -nE '^(-i|--index-url|--extra-index-url|--find-links)|https?://' requirements/*.txt; then
  echo "a lock file names a host" >&2
  exit 1
fi
