# For tests/browser/run: make_plans FOLDER writes plans in every form into FOLDER, with the program as it is built now.
#   web     the example, created as a whole
#   rules   100 metric alert rules created, 100 changed and 100 deleted
#   large   more than 10,000 changes

make_plans() {
  local folder=$1 svc=target/debug/svc
  cargo build --quiet -p svc-deploy-cli
  "$svc" local import examples/landing-zone.json --state "$folder/state.json" >/dev/null
  local cloud=(-Cloud local -LocalStateFile "$folder/state.json" -SubscriptionName Contoso)

  echo "-- a plan of examples/web.yml"
  "$svc" New-SvcPaasWeb -SettingsFile examples/web.yml "${cloud[@]}" -WhatIf -PlanReport "$folder/" >/dev/null

  echo "-- a plan with 100 rules created, 100 changed and 100 deleted"
  rules 90 $(seq 200) >"$folder/rules.yml"
  "$svc" New-SvcMonitorMetricAlerts -SettingsFile "$folder/rules.yml" "${cloud[@]}" -Confirm:false >/dev/null
  # The name of a rule has its position, so those that are changed are the first ones again.
  rules 95 $(seq 100) $(seq 201 300) >"$folder/rules.yml"
  "$svc" New-SvcMonitorMetricAlerts -SettingsFile "$folder/rules.yml" "${cloud[@]}" -WhatIf -PlanReport "$folder/" >/dev/null

  echo "-- a plan with more than 10,000 changes"
  accounts 101 100 >"$folder/large.yml"
  "$svc" New-SvcIaasStorage -SettingsFile "$folder/large.yml" -Offline -WhatIf -PlanReport "$folder/" >/dev/null
}

# rules THRESHOLD NUMBER...: a document with these metric alert rules.
rules() {
  cat <<'YAML'
component: metricAlerts
location: UK South
service:
  dependencies: { actionGroups: [ops-team] }
  publish: { resourceGroup: metric-alerts }
groups:
  - name: Compute
    alertSets:
      - resourceType: Microsoft.Compute/virtualMachines
        name: Servers
        alerts:
YAML
  local threshold=$1 number
  shift
  for number in "$@"; do
    cat <<YAML
          - name: Cpu-$number
            description: Server $number is busy.
            severity: Warning
            schedule: { frequencyInMinutes: 15, timeWindowInMinutes: 15 }
            conditions:
              - metricName: Percentage CPU
                threshold: { operator: GreaterThan, value: $threshold, timeAggregation: Average }
            service: { dependencies: { targetResources: [shop-servers] } }
YAML
  done
}

# accounts COUNT CONTAINERS: a document with so many storage accounts of so many containers.
accounts() {
  printf 'component: storage\nlocation: UK South\nresourceGroupName: Large\nstorageAccounts:\n'
  local account container
  for account in $(seq "$1"); do
    printf '  - storageAccountName: Account%s\n    accountType: Standard\n    blobContainer:\n' "$account"
    for container in $(seq "$2"); do printf '      - name: container-%s\n' "$container"; done
  done
}
