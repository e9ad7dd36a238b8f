"""Hands the examples over to Azure's own engine, as the local cloud has it, and back.

    hand_over.py AZ SVC FOLDER   AZ: the Azure CLI; SVC: our program; FOLDER: for templates and states

For every document of examples, in two local clouds that begin with examples/landing-zone.json, and for every document of
examples/all-fields in two clouds of its own:

- `svc template` writes a template, the Azure CLI deploys it, and our command finds everything up to date.
- Our command deploys the example, and what-if of the Azure CLI shows that the template changes nothing: as it is, with the ids of look-ups as
  parameters and, of alerts, as the template of a stack.
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

from read_back import AzureCli

EXAMPLES = Path("examples")
# What the secure parameters of the templates are given: most secrets are addresses.
SECRET = "https://example.com/a-value-for-tests"
# Changes that what-if shows after our own command, by resource type and path. What is added here is in docs/fleets.md too.
LISTED = set()


# What what-if shows of a secret.
HIDDEN = "*******"
SUBSCRIPTION = "/subscriptions/10ca1c10-0d00-4000-8000-000000000001"


def documents(pattern):
    """The paths of documents below the folder of the examples."""
    return [str(path.relative_to(EXAMPLES)) for path in sorted(EXAMPLES.glob(pattern))]


def landing_zone():
    return json.loads((EXAMPLES / "landing-zone.json").read_text(encoding="utf-8"))


def fields_zone():
    """The landing zone with what the documents with every field need beside it, as tests/support/estate.rs has it."""
    networks = f"{SUBSCRIPTION}/resourceGroups/rg-landing-zone/providers/Microsoft.Network/virtualNetworks"
    subnets = [("endpoints", "10.30.1.0/24"), ("AzureBastionSubnet", "10.30.2.0/24")]
    properties = {
        "addressSpace": {"addressPrefixes": ["10.30.0.0/16"]},
        "subnets": [{"name": name, "properties": {"addressPrefix": prefix}} for name, prefix in subnets],
    }
    estate = landing_zone()
    estate.append(published(f"{SUBSCRIPTION}/resourceGroups/rg-fields", "uksouth", "fields-group", {}))
    estate.append(published(f"{networks}/vnet-fields", "uksouth", "fields-network", properties))
    for name, service in (
        ("privatelink.blob.core.windows.net", "fields-zone"),
        ("privatelink.vaultcore.azure.net", "fields-zones"),
        ("privatelink.vaultcore.usgovcloudapi.net", "fields-zones"),
    ):
        zone = f"{SUBSCRIPTION}/resourceGroups/rg-fields/providers/Microsoft.Network/privateDnsZones/{name}"
        link = {"virtualNetwork": {"id": f"{networks}/vnet-fields"}, "registrationEnabled": False}
        estate.append(published(zone, "global", service, {}))
        estate.append(published(f"{zone}/virtualNetworkLinks/by-hand", "global", "", link))
    return estate


def published(resource_id, location, service, properties):
    return {"id": resource_id, "location": location, "tags": {"svc-service": service} if service else {}, "properties": properties}


def run(*arguments):
    done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise RuntimeError(f"{' '.join(str(one) for one in arguments)}: status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def local_cloud(svc, folder, name, estate):
    """Starts a local cloud with these resources; its process id is in FOLDER/NAME.pid. Returns its URL."""
    state, said, existing = folder / f"{name}.json", folder / f"{name}.txt", folder / f"{name}.estate.json"
    existing.write_text(json.dumps(estate), encoding="utf-8")
    run(svc, "local", "import", existing, "--state", state)
    with open(said, "w", encoding="utf-8") as output:
        server = subprocess.Popen([svc, "local", "--listen", "127.0.0.1:0", "--state", str(state)], stdout=output)
    (folder / f"{name}.pid").write_text(str(server.pid), encoding="utf-8")
    for _ in range(100):
        if found := re.search(r"http://[0-9.:]*[0-9]", said.read_text(encoding="utf-8")):
            return found.group(0)
        time.sleep(0.1)
    raise RuntimeError(f"the local cloud '{name}' does not start: {said.read_text(encoding='utf-8')}")


class Template:
    """The template of an example, which it writes, and what the Azure CLI needs for it."""

    def __init__(self, svc, folder, file, endpoint, *options):
        path = folder / f"{Path(file).stem}{''.join(options)}.template.json"
        said = run(svc, "template", EXAMPLES / file, "--path", path, "--overwrite", "-Cloud", endpoint, *options)
        parameters = json.loads(path.read_text(encoding="utf-8")).get("parameters", {})
        is_secret = lambda one: one["type"].lower().startswith("secure") and "defaultValue" not in one
        self.secrets = [name for name, one in parameters.items() if is_secret(one)]
        group = re.search(r"^  az .* --resource-group (\S+)", said, re.MULTILINE)
        self.scope = "group" if group else "sub"
        self.arguments = ["--resource-group", group.group(1)] if group else ["--location", "uksouth"]
        self.arguments += ["--name", Path(file).stem, "--template-file", str(path)]
        if self.secrets:
            self.arguments += ["--parameters", *(f"{name}={SECRET}" for name in self.secrets)]


def deploys(svc, file, endpoint):
    return run(svc, "apply", EXAMPLES / file, "--cloud", endpoint, "--yes")


def by_the_cli(az, svc, folder, file, endpoint):
    """The problems of an example that the Azure CLI deploys."""
    template = Template(svc, folder, file, endpoint)
    done = az("deployment", template.scope, "create", *template.arguments, timeout=300)
    if done["properties"]["provisioningState"] != "Succeeded":
        return [f"{file}: the deployment is {done['properties']['provisioningState']}"]
    said = deploys(svc, file, endpoint)
    # A document with secrets has others than those that the Azure CLI was given; everything else is compared by what-if below.
    if "Everything is up to date" not in said and not template.secrets:
        return [f"{file}: after the Azure CLI, our program finds something to do:\n{said}"]
    return []


def by_us(az, svc, folder, file, endpoint):
    """The problems of an example that our command deploys."""
    deploys(svc, file, endpoint)
    kinds = [(), ("--late-binding",)]
    if "alerts" in file:
        kinds.append(("--late-binding", "--stack"))
    return [problem for options in kinds for problem in changes(az, svc, folder, file, endpoint, *options)]


def changes(az, svc, folder, file, endpoint, *options):
    """What the what-if of the Azure CLI shows that a template would change."""
    template = Template(svc, folder, file, endpoint, *options)
    result = az("deployment", template.scope, "what-if", "--no-pretty-print", *template.arguments, timeout=300)
    problems = []
    for change in result["changes"]:
        if change["changeType"] in ("NoChange", "Ignore"):
            continue
        # The secrets of the document are others than those that the Azure CLI is given.
        paths = [part["path"] for part in change.get("delta") or [] if HIDDEN not in json.dumps(part)]
        kind = resource_type(change["resourceId"])
        left = [path for path in paths if (kind, path) not in LISTED] if change["changeType"] == "Modify" else paths
        if left or change["changeType"] != "Modify":
            said = f"what-if of the template {' '.join(options)}".rstrip()
            problems.append(f"{file}: after our program, {said} shows {change['changeType']} of {change['resourceId']}: {', '.join(left)}")
    return problems


def resource_type(resource_id):
    segments = resource_id.rsplit("/providers/", 1)[-1].split("/")
    return "/".join([segments[0], *segments[1::2]]).lower()


def main(program, svc, folder):
    folder, problems, count = Path(folder), [], 0
    rounds = [("examples", landing_zone(), documents("*.yml"))]
    rounds += [(Path(file).stem, fields_zone(), [file]) for file in documents("all-fields/*.yml")]
    clouds = {name: [local_cloud(svc, folder, f"{name}-{work}", estate) for work in ("cli", "us")] for name, estate, _ in rounds}
    with AzureCli(program, clouds["examples"][0]) as az:
        for name, _, files in rounds:
            for file in files:
                for work, endpoint in zip((by_the_cli, by_us), clouds[name]):
                    print(f"-- {file} {work.__name__}", flush=True)
                    az.proxy.endpoint = endpoint
                    count += 1
                    try:
                        problems += work(az, svc, folder, file, endpoint)
                    except RuntimeError as error:
                        problems.append(f"{file}: {error}")
    for problem in problems:
        print(f"   {problem}")
    print(f"the Azure CLI: {count} documents handed over, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
