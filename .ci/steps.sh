# shellcheck shell=bash
# For the scripts beside it: `. .ci/steps.sh`, then `step NAME` before each step. At the end the time of each is printed.

step_names=()
step_times=()
step_begun=0

# Ends the step before, if there is one, and begins the next.
step() {
  end_step
  step_names+=("$*")
  step_begun=$SECONDS
  printf '\n==== %s\n' "$*"
}

end_step() {
  if ((${#step_names[@]} > ${#step_times[@]})); then step_times+=($((SECONDS - step_begun))); fi
}

loud() { printf '\n!!!! SKIPPED: %s\n' "$*"; }

# Also when a step fails, which is then the last one.
print_times() {
  local status=$? index
  end_step
  printf '\n==== time of each step\n'
  for index in "${!step_names[@]}"; do printf '%6d s  %s\n' "${step_times[index]}" "${step_names[index]}"; done
  printf '%6d s  in all\n' "$SECONDS"
  ((status == 0)) || printf '!!!! FAILED: %s\n' "${step_names[-1]:-before the first step}"
  return "$status"
}
trap print_times EXIT

# install_fuzzer: cargo-fuzz, and what it needs, where they are not here. Fails where that cannot be.
install_fuzzer() {
  command -v c++ >/dev/null || (apt-get update -qq && apt-get install -y -qq g++) >/dev/null 2>&1 || return 1
  command -v cargo-fuzz >/dev/null || cargo install --quiet --locked cargo-fuzz >/dev/null 2>&1 || return 1
}

# install_tools: what the steps need beside Rust is installed where it can be.
install_tools() {
  local missing=()
  command -v cc >/dev/null || missing+=(gcc libc6-dev)
  command -v valgrind >/dev/null || missing+=(valgrind)
  command -v mcs >/dev/null || missing+=(mono-mcs)
  command -v zsh >/dev/null || missing+=(zsh)
  command -v fish >/dev/null || missing+=(fish)
  ((${#missing[@]})) || return 0
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    (apt-get update -qq && apt-get install -y -qq "${missing[@]}") >/dev/null 2>&1 || loud "these tools cannot be installed: ${missing[*]}"
  else
    loud "these tools are missing and cannot be installed here: ${missing[*]}"
  fi
}

# install_cross_tools: compilers for other machines and what runs their programs, where they can be installed.
install_cross_tools() {
  local missing=()
  command -v x86_64-w64-mingw32-gcc >/dev/null || missing+=(gcc-mingw-w64-x86-64)
  command -v wine >/dev/null || missing+=(wine wine64)
  command -v aarch64-linux-gnu-gcc >/dev/null || missing+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
  command -v qemu-aarch64 >/dev/null || missing+=(qemu-user)
  command -v zip >/dev/null || missing+=(zip)
  command -v osslsigncode >/dev/null || missing+=(osslsigncode)
  ((${#missing[@]})) || return 0
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    (apt-get update -qq && apt-get install -y -qq "${missing[@]}") >/dev/null 2>&1 || loud "these tools cannot be installed: ${missing[*]}"
  else
    loud "these tools are missing and cannot be installed here: ${missing[*]}"
  fi
}

# can_build TARGET: whether packaging/build finds a C compiler for it here.
can_build() {
  case $1 in
  linux-x64) [ "$(uname -sm)" = "Linux x86_64" ] ;;
  linux-arm64) command -v python3 >/dev/null ;;
  win-x64) command -v x86_64-w64-mingw32-gcc >/dev/null ;;
  esac
}
