"""Reads back what the examples deployed to `svc local`, with Azure's own SDK for Python and with the Azure CLI.

    read_back.py sdk ENDPOINT REQUESTS    every resource by its client of azure-mgmt-*; what was sent has to come back
    read_back.py az AZ ENDPOINT REQUESTS  every resource by the Azure CLI, through a proxy that ends TLS

REQUESTS is the request log of the local cloud: it says what was created, and with which bodies.
"""

import json
import re
import sys
import urllib.request
from urllib.parse import urlsplit

# The readers by ARM type: the client, the method, and which names of the id it takes beside the resource group's. A type that
# is not here is read by `resources.get_by_id`, and the report says so.
STORAGE = ("azure.mgmt.storage", "StorageManagementClient")
NETWORK = ("azure.mgmt.network", "NetworkManagementClient")
DNS = ("azure.mgmt.privatedns", "PrivateDnsManagementClient")
MONITOR = ("azure.mgmt.monitor", "MonitorManagementClient")
LOGS = ("azure.mgmt.loganalytics", "LogAnalyticsManagementClient")
INSIGHTS = ("azure.mgmt.applicationinsights", "ApplicationInsightsManagementClient")
WEB = ("azure.mgmt.web", "WebSiteManagementClient")
CDN = ("azure.mgmt.cdn", "CdnManagementClient")
APIM = ("azure.mgmt.apimanagement", "ApiManagementClient")
RESOURCES = ("azure.mgmt.resource.resources", "ResourceManagementClient")
READERS = {
    "microsoft.storage/storageaccounts": (STORAGE, "storage_accounts.get_properties"),
    "microsoft.storage/storageaccounts/blobservices/containers": (STORAGE, "blob_containers.get"),
    "microsoft.storage/storageaccounts/fileservices/shares": (STORAGE, "file_shares.get"),
    "microsoft.storage/storageaccounts/queueservices/queues": (STORAGE, "queue.get"),
    "microsoft.storage/storageaccounts/tableservices/tables": (STORAGE, "table.get"),
    "microsoft.network/virtualnetworks/subnets": (NETWORK, "subnets.get"),
    "microsoft.network/publicipaddresses": (NETWORK, "public_ip_addresses.get"),
    "microsoft.network/bastionhosts": (NETWORK, "bastion_hosts.get"),
    "microsoft.network/privateendpoints": (NETWORK, "private_endpoints.get"),
    "microsoft.network/privateendpoints/privatednszonegroups": (NETWORK, "private_dns_zone_groups.get"),
    "microsoft.network/privatednszones": (DNS, "private_zones.get"),
    "microsoft.network/privatednszones/virtualnetworklinks": (DNS, "virtual_network_links.get"),
    "microsoft.insights/actiongroups": (MONITOR, "action_groups.get"),
    "microsoft.insights/activitylogalerts": (MONITOR, "activity_log_alerts.get"),
    "microsoft.insights/metricalerts": (MONITOR, "metric_alerts.get"),
    "microsoft.insights/scheduledqueryrules": (MONITOR, "scheduled_query_rules.get"),
    "microsoft.insights/components": (INSIGHTS, "components.get"),
    "microsoft.operationalinsights/workspaces": (LOGS, "workspaces.get"),
    "microsoft.web/serverfarms": (WEB, "app_service_plans.get"),
    "microsoft.web/sites": (WEB, "web_apps.get"),
    "microsoft.web/sites/slots": (WEB, "web_apps.get_slot"),
    "microsoft.web/sites/config": (WEB, "web_apps.list_application_settings"),
    "microsoft.web/sites/slots/config": (WEB, "web_apps.list_application_settings_slot"),
    "microsoft.apimanagement/service": (APIM, "api_management_service.get"),
    "microsoft.cdn/profiles": (CDN, "profiles.get"),
    "microsoft.cdn/profiles/afdendpoints": (CDN, "afd_endpoints.get"),
    "microsoft.cdn/profiles/afdendpoints/routes": (CDN, "routes.get"),
    "microsoft.cdn/profiles/origingroups": (CDN, "afd_origin_groups.get"),
    "microsoft.cdn/profiles/origingroups/origins": (CDN, "afd_origins.get"),
    "microsoft.cdn/profiles/customdomains": (CDN, "afd_custom_domains.get"),
    "microsoft.cdn/profiles/secrets": (CDN, "secrets.get"),
    "microsoft.cdn/profiles/securitypolicies": (CDN, "security_policies.get"),
}
# A GET of an app shows most of its configuration as null; this shows it.
CONFIGURATIONS = {
    "microsoft.web/sites": "get_configuration",
    "microsoft.web/sites/slots": "get_configuration_slot",
}
# These stand between an account and what is in it, or are part of the method's name, and the methods do not take them.
FIXED = {"blobservices", "fileservices", "queueservices", "tableservices", "config"}
# The commands of the Azure CLI that show a resource by its id; other types are shown by `az resource show`.
SHOWN_BY = {
    "microsoft.storage/storageaccounts": "storage account show",
    "microsoft.network/virtualnetworks/subnets": "network vnet subnet show",
    "microsoft.network/publicipaddresses": "network public-ip show",
    "microsoft.network/privateendpoints": "network private-endpoint show",
    "microsoft.network/privatednszones": "network private-dns zone show",
    "microsoft.network/privatednszones/virtualnetworklinks": "network private-dns link vnet show",
    "microsoft.insights/actiongroups": "monitor action-group show",
    "microsoft.insights/activitylogalerts": "monitor activity-log alert show",
    "microsoft.insights/metricalerts": "monitor metrics alert show",
    "microsoft.operationalinsights/workspaces": "monitor log-analytics workspace show",
    "microsoft.web/serverfarms": "appservice plan show",
}
# What Azure gives to nobody with GET, which is how the Azure CLI shows a resource by its id.
NOT_SHOWN = {"microsoft.web/sites/config", "microsoft.web/sites/slots/config"}


class Resource:
    """A resource that was sent: its id, its type and the last body."""

    def __init__(self, path, query, body):
        self.id, self.body = path, body
        self.api_version = re.search(r"api-version=([^&]+)", query).group(1)
        segments = path.strip("/").split("/")
        providers = max((at for at, word in enumerate(segments) if word.lower() == "providers"), default=None)
        self.group = segments[3] if len(segments) > 3 and segments[2].lower() == "resourcegroups" else None
        if providers is None:
            self.type, self.pairs = "microsoft.resources/resourcegroups", []
        else:
            kinds, names = segments[providers + 2 :: 2], segments[providers + 3 :: 2]
            self.pairs = list(zip(kinds, names))
            self.type = "/".join([segments[providers + 1], *kinds]).lower()


def resources(log):
    """What the requests of a log created or changed, without what they deleted again."""
    found = {}
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            request = json.loads(line)
            url = urlsplit(request["url"])
            if request["method"] == "PUT" and 200 <= request["status"] < 300:
                found[url.path.lower()] = Resource(url.path, url.query, request["body"])
            elif request["method"] == "DELETE" and 200 <= request["status"] < 300:
                found.pop(url.path.lower(), None)
    return list(found.values())


def missing(sent, got, path=""):
    """The leaves of what was sent that did not come back, or came back as something else."""
    if isinstance(sent, dict):
        if not isinstance(got, dict):
            return [f"{path}: {sent!r} came back as {got!r}"] if sent else []
        names = {name.lower(): value for name, value in got.items()}
        return [
            what
            for name, value in sent.items()
            for what in missing(value, names.get(name.lower()), f"{path}.{name}")
        ]
    if isinstance(sent, list):
        if len(sent) != len(got or []):
            return [f"{path}: {len(sent)} items came back as {len(got or [])}"]
        # Azure may sort lists.
        return [
            f"{path}[{at}]: {item!r} is not among {got!r}"
            for at, item in enumerate(sent)
            if all(missing(item, other) for other in got)
        ]
    same = same_text(sent, got) if isinstance(sent, str) and isinstance(got, str) else sent == got and type(sent) == type(got)
    # A number is a number, with or without a fraction.
    numbers = isinstance(sent, (int, float)) and isinstance(got, (int, float)) and not isinstance(sent, bool) and sent == got
    return [] if sent is None or same or numbers else [f"{path}: {sent!r} came back as {got!r}"]


def same_text(sent, got):
    """Ignoring letter case, the blanks of locations, and how a duration is spelled."""
    plain = lambda text: re.sub(r"\s", "", text).lower()
    return plain(sent) == plain(got) or seconds(sent) is not None and seconds(sent) == seconds(got)


def seconds(text):
    """The length of an ISO 8601 duration, or of Python's spelling of one."""
    match = re.fullmatch(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", text)
    if not match or not any(match.groups()):
        return None
    days, hours, minutes, rest = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest


def report(what, count, problems):
    for problem in problems:
        print(f"   {problem}")
    print(f"{what}: {count} resources read back, {len(problems)} problems")
    return 1 if problems or not count else 0


class Sdk:
    """The clients of azure-mgmt-*, pointed at the local cloud, which speaks http."""

    def __init__(self, endpoint):
        self.endpoint, self.clients = endpoint, {}

    def client(self, module_and_name, subscription):
        key = (module_and_name, subscription)
        if key not in self.clients:
            import importlib

            from azure.core.credentials import AccessToken
            from azure.core.pipeline.policies import SansIOHTTPPolicy

            class Credential:
                def get_token(self, *scopes, **options):
                    return AccessToken("any", 2**31)

            module, name = module_and_name
            self.clients[key] = getattr(importlib.import_module(module), name)(
                credential=Credential(),
                subscription_id=subscription,
                base_url=self.endpoint,
                credential_scopes=["any/.default"],
                # The usual policy sends tokens by https only; here nobody asks for one.
                authentication_policy=SansIOHTTPPolicy(),
                retry_total=0,
            )
        return self.clients[key]

    def read(self, resource):
        """The resource as the wire form of the SDK's model, and whether a typed client read it."""
        subscription = resource.id.split("/")[2]
        if resource.type == "microsoft.resources/resourcegroups":
            return wire(self.client(RESOURCES, subscription).resource_groups.get(resource.group)), True
        if resource.type in READERS and resource.group:
            client, method = READERS[resource.type]
            operations, method = method.split(".")
            names = [name for kind, name in resource.pairs if kind.lower() not in FIXED]
            operations = getattr(self.client(client, subscription), operations)
            got = wire(getattr(operations, method)(resource.group, *names))
            if resource.type in CONFIGURATIONS:
                configuration = getattr(operations, CONFIGURATIONS[resource.type])(resource.group, *names)
                got["properties"]["siteConfig"] = wire(configuration)["properties"]
            return got, True
        generic = self.client(RESOURCES, subscription).resources
        return wire(generic.get_by_id(resource.id, api_version=resource.api_version)), False


def wire(model):
    """A model as JSON with the names of the wire, whichever generator made it."""
    return model.serialize(keep_readonly=True) if hasattr(model, "serialize") else model.as_dict()


def sdk(endpoint, log):
    reader, problems, generic = Sdk(endpoint), [], set()
    sent = resources(log)
    for resource in sent:
        try:
            got, typed = reader.read(resource)
        except Exception as error:  # Whatever an SDK raises is a problem of this resource.
            problems.append(f"{resource.id}: {type(error).__name__}: {str(error).splitlines()[0]}")
            continue
        if not typed:
            generic.add(resource.type)
        # The ids of a subscription's diagnostic settings come back without their first slash, in Azure too.
        if got.get("id", "").strip("/").lower() != resource.id.strip("/").lower():
            problems.append(f"{resource.id}: came back as {got.get('id')}")
        body = {name: value for name, value in resource.body.items() if name not in ("id", "type", "etag", "systemData")}
        problems += [f"{resource.id}: {what}" for what in missing(body, got)]
    if generic:
        print(f"   by the generic client, because this script knows no other: {', '.join(sorted(generic))}")
    return report("azure-mgmt", len(sent), problems)


class AzureCli:
    """The Azure CLI, signed in to a local cloud through a proxy that ends TLS. `proxy.endpoint` may be set to another local cloud."""

    def __init__(self, program, endpoint):
        import tempfile

        self.program, self.folder = program, tempfile.TemporaryDirectory()
        self.proxy = TlsProxy(endpoint, self.folder.name)

    def __enter__(self):
        self.proxy.__enter__()
        self.settings = {
            "AZURE_CONFIG_DIR": f"{self.folder.name}/azure",
            "AZURE_CORE_INSTANCE_DISCOVERY": "false",
            "AZURE_CORE_COLLECT_TELEMETRY": "false",
            "AZURE_CORE_NO_COLOR": "true",
            "REQUESTS_CA_BUNDLE": self.proxy.certificate,
        }
        self("cloud", "register", "-n", "SvcLocal", "--endpoint-resource-manager", self.proxy.url)
        self("cloud", "set", "-n", "SvcLocal")
        application, tenant = "10ca1c10-0d00-4000-8000-0000000000aa", "10ca1c10-0d00-4000-8000-00000000000f"
        self("login", "--service-principal", "-u", application, "-p", "any", "--tenant", tenant)
        return self

    def __exit__(self, *error):
        self.proxy.__exit__(*error)
        self.folder.cleanup()

    def __call__(self, *arguments, timeout=120):
        """What a command prints, as JSON."""
        import os
        import subprocess

        done = subprocess.run(
            [self.program, *arguments, "-o", "json"],
            env={**os.environ, **self.settings},
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        if done.returncode:
            # With several ids what is wrong with each is a warning.
            said = [line for line in done.stderr.splitlines() if line.startswith(("ERROR", "WARNING"))]
            raise RuntimeError("; ".join(said) or f"the status {done.returncode} and no explanation")
        return json.loads(done.stdout) if done.stdout.strip() else None


def az(program, endpoint, log):
    problems, sent = [], [resource for resource in resources(log) if resource.type not in NOT_SHOWN]
    with AzureCli(program, endpoint) as run:
        # One process for all resources of a type and version: each takes about a second to start.
        by_type = {}
        for resource in sent:
            by_type.setdefault((resource.type, resource.api_version), []).append(resource)
        for (kind, version), of_kind in by_type.items():

            def show(some):
                if kind == "microsoft.resources/resourcegroups":
                    return [run("group", "show", "-n", resource.group) for resource in some]
                command = SHOWN_BY[kind].split() if kind in SHOWN_BY else ["resource", "show", "--api-version", version]
                got = run(*command, "--ids", *(resource.id for resource in some))
                return got if isinstance(got, list) else [got]

            try:
                shown = {one.get("id", "").strip("/").lower(): one for one in show(of_kind)}
            except RuntimeError:
                shown = {}
            for resource in of_kind:
                envelope = {name: resource.body[name] for name in ("location", "tags") if name in resource.body}

                def differences(one):
                    one = {**one, "id": "/" + one.get("id", "").strip("/")}
                    return missing({"id": resource.id, **envelope}, one)

                # The CLI asks for several at once, each in a thread, and now and then loses one of them or members of it.
                one = shown.get(resource.id.strip("/").lower(), {})
                try:
                    wrong = differences(one) and differences(show([resource])[0])
                except RuntimeError as error:
                    wrong = [error]
                problems += [f"{resource.id}: {what}" for what in wrong]
    return report("az", len(sent), problems)


class TlsProxy:
    """Ends TLS before the local cloud: signing in needs https."""

    def __init__(self, endpoint, folder):
        self.endpoint, self.folder = endpoint, folder

    def __enter__(self):
        import http.server
        import ssl
        import subprocess
        import threading

        self.certificate, key = f"{self.folder}/proxy.pem", f"{self.folder}/key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
            + ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", self.certificate],
            check=True,
            capture_output=True,
        )
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name: value for name, value in self.headers.items() if name.lower() not in ("connection", "accept-encoding")}
                headers["X-Forwarded-Proto"] = "https"
                request = urllib.request.Request(
                    proxy.endpoint + self.path, self.rfile.read(length) if length else None, headers, method=self.command
                )
                try:
                    answer = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60)
                except urllib.error.HTTPError as error:
                    answer = error
                body = answer.read()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = do_HEAD = forward

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"https://localhost:{self.server.server_address[1]}"
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["sdk", endpoint, log]:
            sys.exit(sdk(endpoint, log))
        case ["az", program, endpoint, log]:
            sys.exit(az(program, endpoint, log))
        case _:
            sys.exit(__doc__)
