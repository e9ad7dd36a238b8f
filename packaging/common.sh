# shellcheck shell=bash
# For the scripts beside it, which run in the root of the repository: `. packaging/common.sh`.

# The oldest glibc that the libraries and programs for Linux run with: that of Red Hat Enterprise Linux 8 and Debian 10.
# shellcheck disable=SC2034 # For the scripts that read this file.
glibc_floor=2.28

loud() { printf '\n!!!! SKIPPED: %s\n' "$*" >&2; }

# skip TEXT: one loud line about what this machine lacks. With SVC_SKIP=refused, as in a release, that is a failure.
skip() {
  loud "$*"
  [ "${SVC_SKIP:-}" != refused ] || fail "SVC_SKIP=refused, and something had to be skipped."
}

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# find_target NAME: sets triple, library, program and debian_name from packaging/targets.txt.
find_target() {
  local line
  line=$(grep "^$1 " packaging/targets.txt) || fail "'$1' is not a target. Those are: $(target_names)"
  # shellcheck disable=SC2034 # For the scripts that read this file.
  read -r _ triple library program debian_name <<<"$line"
}

target_names() { grep -v '^#' packaging/targets.txt | cut -d' ' -f1 | paste -sd' ' -; }

# The version of the workspace.
version() { sed -n '/^\[workspace\.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml; }

# The time of everything in packages, in seconds since 1970: that of the commit, so that two packages of one commit are the same.
commit_time() {
  if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then echo "$SOURCE_DATE_EPOCH"; else git log -1 --format=%ct; fi
}

# python_tool COMMAND PACKAGE: the path of a program that PyPI has, installed into target/tools where it is missing.
python_tool() {
  local folder=$PWD/target/tools/$1
  if command -v "$1" >/dev/null; then
    command -v "$1"
    return 0
  fi
  if [ ! -x "$folder/bin/$1" ]; then
    { python3 -m venv "$folder" && timeout 600 "$folder/bin/pip" install --quiet --disable-pip-version-check "${@:2}"; } >/dev/null 2>&1 || return 1
  fi
  [ -x "$folder/bin/$1" ] && echo "$folder/bin/$1"
}

# find_zigbuild: sets zigbuild to the path of cargo-zigbuild, with zig as the linker. The versions are set because another linker gives another file.
find_zigbuild() {
  zigbuild=$(python_tool cargo-zigbuild cargo-zigbuild==0.24.0 ziglang==0.17.1) || return 1
  # It asks the first Python of the path for zig, which need not be the one that has it.
  local python
  python=$(dirname "$zigbuild")/python3
  [ ! -x "$python" ] || export CARGO_ZIGBUILD_PYTHON_PATH=$python
}

# cargo_tool COMMAND: makes a program of crates.io available, installed into target/tools where it is missing.
cargo_tool() {
  local folder=$PWD/target/tools/cargo
  PATH=$folder/bin:$PATH
  command -v "$1" >/dev/null || cargo install --quiet --locked --root "$folder" "$@" >/dev/null 2>&1
}
