# shellcheck shell=bash disable=SC2034 # Whoever calls uses the variables.
# For scripts that deploy the examples to a local cloud: `. tests/examples.sh`, then deploy_examples FOLDER.

# Starts a local cloud with the landing zone and deploys every document of examples to it. Afterwards `endpoint` is
# its URL, `server` its process, and FOLDER/requests.jsonl has every request. Whoever calls ends the server.
deploy_examples() {
  local folder=$1 svc=target/debug/svc file
  # The program of the tests, which is there in .ci/run; `cargo build` has other features and would compile everything once more.
  cargo test --quiet --workspace --no-run
  "$svc" local import examples/landing-zone.json --state "$folder/state.json"
  "$svc" local --listen 127.0.0.1:0 --state "$folder/state.json" --request-log "$folder/requests.jsonl" --request-log-secrets >"$folder/server.txt" &
  server=$!
  for _ in $(seq 100); do grep -q 'is listening on' "$folder/server.txt" && break; sleep 0.1; done
  endpoint=$(grep -o 'http://[0-9.:]*[0-9]' "$folder/server.txt")
  for file in examples/*.yml; do
    echo "-- $file"
    "$svc" apply "$file" --cloud "$endpoint" --yes >"$folder/output.txt" </dev/null || { cat "$folder/output.txt"; return 1; }
  done
}
