// What people see of the schemas in an editor: completions, texts on hovering over keys and values, and what is marked as wrong.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Server } from "./server.mjs";

const names = ["storage", "web", "metricAlerts", "logAlerts", "resourceHealthAlerts", "monitor", "tags", "generators", "resources", "locations", "tokens", "logAlertDefinitions"];
let server;
before(async () => (server = await Server.start(names)));
after(() => server.stop());

const account = (line) => `location: UK South\nstorageAccounts:\n  - storageAccountName: Orders\n    accountType: Standard\n    ${line}\n`;
const app = (line) =>
  `service: {publish: {}}\nwebSolutions:\n  - name: Shop\n    appServicePlans:\n      - name: Plan\n        region: UK South\n        sku: B1\n        webapps:\n          - name: App\n            ${line}\n`;

/// Each place (`|`) with what is offered there.
const offered = [
  ["storage", "|", ["component", "location", "service", "storageAccounts"]],
  ["storage", "component: |", ["storage"]],
  ["storage", "location: |\nstorageAccounts: []", ["UK South", "West Europe"]],
  ["storage", account("kind: |"), ["StorageV2", "BlockBlobStorage"]],
  ["storage", account("supportsHttpsTrafficOnly: |"), ["true", "false"]],
  ["storage", account("min|"), ["minimumTlsVersion"]],
  ["web", "service: {publish: {}}\nwebSolutions:\n  - name: Shop\n    appServicePlans:\n      - name: Plan\n        region: UK South\n        sku: |", ["P1v3", "FC1"]],
  ["web", app("runTime: |"), ["NODE|24-lts", "PYTHON|3.12"]],
  ["resourceHealthAlerts", "component: resourceHealthAlerts\nalerts:\n  - eventStatus:\n      - |", ["Active", "In Progress", "Resolved"]],
  ["resources", "resources:\n  - name: |", ["StorageAccount", "WebApp"]],
  ["tags", "tags:\n  |", ["mandatory", "custom"]],
  ["locations", "locations:\n  - name: |", ["UK South", "West Europe"]],
  ["tokens", "tokens:\n  |", ["organisation", "environments"]],
  ["logAlertDefinitions", "definitions:\n  - severity: |", ["Critical", "Verbose"]],
  ["generators", "formats:\n  - name: standard\n    components:\n      - source: |", ["environment", "hash"]],
];
for (const [schema, text, labels] of offered) {
  test(`${schema}: ${JSON.stringify(text.slice(-60))} offers ${labels.join(", ")}`, async () => {
    const place = await server.look(schema, text);
    for (const label of labels) assert.ok(place.offered.includes(label), `${label} is not in ${place.offered}`);
    // Nothing is offered in a spelling that is merely accepted.
    for (const label of place.offered) assert.ok(!["standard", "storagev2", "active", "location "].includes(label), label);
  });
}

/// Each place with what is shown there, on keys and on values alike.
const shown = [
  ["storage", account("ki|nd: StorageV2"), ["The kind of account. Default: StorageV2.", "General-purpose v2."]],
  ["storage", account("kind: Storage|V2"), ["The kind of account. Default: StorageV2.", "General-purpose v2."]],
  ["storage", account("supportsHttpsTrafficOnly: tr|ue"), ["Whether only HTTPS is allowed."]],
  ["storage", account("queue: [or|ders]"), ["Names of queues."]],
  ["storage", "location: UK |South\nstorageAccounts: []", ["Location of the resource group"]],
  ["resourceHealthAlerts", "component: resourceHealthAlerts\nalerts:\n  - eventStatus:\n      - Act|ive", ["Statuses of health events to report.", "The event has begun."]],
  ["web", app("runTime: NODE|24-lts".replace("|", "")).replace("runTime: ", "runTime: |"), ["The technology stack and its version"]],
  ["generators", "formats:\n  - name: standard\n    components:\n      - source: ha|sh", ["A hash of the parts before it."]],
  ["tokens", "tokens:\n  environ|ments: {production: prd}", ["Another key adds an environment."]],
  ["tags", "tags:\n  mand|atory: {a: b}", ["Tags that must have a value"]],
];
for (const [schema, text, texts] of shown) {
  test(`${schema}: ${JSON.stringify(text.slice(-60))} shows ${texts[0]}`, async () => {
    const place = await server.look(schema, text);
    for (const text of texts) assert.ok(place.shown.includes(text), place.shown);
    // The language server heads an item of a list of choices with the key of the list once for each alternative.
    const shown = place.shown.replace(/^#### (.+?)(?: \|\| \1)+$/m, "#### $1");
    assert.ok(!shown.includes(" || "), shown);
  });
}

/// Each document with what is marked in it.
const wrong = [
  ["storage", account("kind: Gold|"), /not accepted.*StorageV2/],
  ["storage", account("nmae: x|"), /Property nmae is not allowed/],
  ["storage", account("blobContainer: {nmae: x}|"), /Property nmae is not allowed/],
  ["storage", account("blobContainer: [{nmae: x}]|"), /Property nmae is not allowed/],
  ["logAlerts", "component: logAlerts\ngroups: []\nloction: x|", /Property loction is not allowed/],
  ["storage", "component: web|\nlocation: UK South\nstorageAccounts: []", /not allowed/],
  ["tags", "tags:\n  mandatory:\n    owner: [platform]|", /Incorrect type/],
  ["generators", "formats:\n  - name: standard\n    components:\n      - source: nmae|", /not accepted.*environment/],
  ["logAlertDefinitions", "definition: []\ndefinitions: []|", /Property definition is not allowed/],
  ["web", "service: {publish: {}}\nfrontdoor:\n  location: UK South|\n  name: a\n  sessionAffinity: true\n  backEndPools: []\n  rules: []", /Use region/],
];
for (const [schema, text, message] of wrong) {
  test(`${schema}: ${JSON.stringify(text.slice(-60))} is marked`, async () => {
    const { problems } = await server.look(schema, text);
    assert.ok(problems.length === 1 && message.test(problems[0]), problems.join("\n"));
  });
}

test("what is right is not marked", async () => {
  const lines = ["kind:|", "kind: storagev2|", "kind: ''|", "queue: [none]|", "queue: orders|", "queue: None|", "queue: ''|", "blobContainer: [none]|"];
  for (const line of [...lines, "blobContainer: {name: a}|", 'supportsHttpsTrafficOnly: "true"|', 'fileShare: {name: a, size: "200"}|']) {
    assert.deepEqual((await server.look("storage", account(line))).problems, [], line);
  }
  const schedule = (minutes) =>
    `component: metricAlerts\ngroups: {name: a, alertSets: {resourceType: Microsoft.Storage/storageAccounts, alerts: {schedule: {frequencyInMinutes: ${minutes}|, timeWindowInMinutes: "15"}}}}\n`;
  for (const minutes of ["5", '"15"', "2"]) assert.deepEqual((await server.look("metricAlerts", schedule(minutes))).problems, [], minutes);
  assert.match((await server.look("metricAlerts", schedule("7"))).problems.join(), /not accepted.*5/);
});
