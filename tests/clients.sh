# shellcheck shell=bash
# For scripts that need clients of Azure from PyPI: `. tests/clients.sh`. They are kept in target/, which outlives a run.

tools=target/read-back

loud() { printf '\n!!!! SKIPPED: %s\n' "$*"; }

# install NAME SECONDS PACKAGE...: a virtual environment with these packages; none at all when it takes too long.
install() {
  local environment=$tools/$1 seconds=$2
  shift 2
  [ ! -f "$environment/installed" ] || return 0
  rm -rf "$environment"
  echo "-- installing ${*:1:2} ${3:+and more }into $environment" >&2
  if python3 -m venv "$environment" >/dev/null 2>&1 &&
    timeout "$seconds" "$environment/bin/pip" install --quiet --disable-pip-version-check "$@" >/dev/null 2>&1; then
    touch "$environment/installed"
  else
    rm -rf "$environment"
    return 1
  fi
}

# azure_cli: prints the path of the Azure CLI, which is installed where it is missing and can be in 300 seconds.
azure_cli() {
  command -v az && return 0
  command -v python3 >/dev/null && install az 300 azure-cli || return 1
  echo "$tools/az/bin/az"
}
