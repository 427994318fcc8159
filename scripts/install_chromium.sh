#!/usr/bin/env bash
# A headless browser for the tests that look at pages; nothing to do where there is one.
set -euo pipefail
if command -v chromium >/dev/null || command -v google-chrome >/dev/null; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
else
  echo "install Chromium with this system's package manager to run the browser tests" >&2
  exit 1
fi
