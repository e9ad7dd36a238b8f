"""Holds recorded requests against Azure's schemas and documented rules.

    python3 check_requests.py <validate_arm.py> <requests.jsonl>

Runs the checker, shows what it finds, and ends with 1 when an error is left.
"""
import json
import subprocess
import sys


def is_artefact(request, finding):
    """The schema of diagnostic settings comes from a version that had one setting, called `service`. Azure takes any name,
    and the names here are those of deployed settings. And the checker takes every resource of a template for one of a resource group;
    the configuration of Advisor is in the template of a subscription itself. Nothing else is left out."""
    is_template = request["type"] == "Microsoft.Resources/deployments"
    advisor = "$.properties.template.resources[advisorConfiguration_default].properties.lowCpuThreshold"
    if is_template and finding["path"] == advisor and finding["message"] == "valid only on the subscription":
        return True
    kind = "Microsoft.Insights/diagnosticSettings"
    return (
        request["type"] == kind
        and finding["path"] == f"url(name of {kind})"
        and finding["source"] == "schema"
        and finding["message"].endswith(" is not 'service'")
    )


def main():
    checker, log = sys.argv[1:]
    checked = subprocess.run([sys.executable, checker, "--json", log], stdout=subprocess.PIPE, text=True, check=False)
    requests = json.loads(checked.stdout)["requests"]
    errors = 0
    for index, request in enumerate(requests):
        for finding in request["findings"]:
            if is_artefact(request, finding):
                continue
            errors += finding["level"] == "error"
            print(
                f"[{index}] {finding['level']:7} {request['method']} {request['type']}@{request['api-version']} "
                f"{finding['path']}: {finding['message']}  ({finding['source']})"
            )
    print(f"{len(requests)} requests, {errors} errors")
    return 1 if errors or not requests else 0


if __name__ == "__main__":
    sys.exit(main())
