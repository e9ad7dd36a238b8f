//! A project folder as the replaced module left it: all of its naming files and tags, with every key that they may have.

use serde_json::json;

use crate::support::estate::*;
use crate::support::*;

const GENERATORS: &str = "\
component: generators
formats:
  - name: standard
    separator: '-'
    case: lower
    minLength: 1
    maxLength: 64
    salt: pepper
    components:
      - source: resource
      - source: organisation
      - source: project
      - source: name
        maxLength: 20
        minLength: 1
        case: lower
        salt: pepper
      - source: environment
      - source: location
      - source: hash
    removeCharacters: [' ']
  - name: resourcegroup
    separator: '-'
    components: [{source: resource}, {source: name}, {source: architecture}, {source: environment}, {source: buildId}]
  - name: app
    separator: '-'
    components: [{source: resource}, {source: name}, {source: environment}, {source: hash}]
  - name: storage
    separator: ''
    components:
      - {source: resource}
      - {source: name, maxLength: 8}
      - {source: subscriptionId}
      - {source: subscriptionName}
      - {source: hash, maxLength: 4}
    removeCharacters: ['-', '_']
  - name: deployment
    separator: '-'
    components: [{source: name}, {source: environment}, {source: packageVersion}, {source: timestamp}]
    removeCharacters: [':', '.']
";

const RESOURCES: &str = "\
component: resources
defaults:
  generator: standard
  shortname: misc
resources:
  - name: resourcegroup
    shortname: grp
    generator: resourcegroup
    maxLength: 64
    minLength: 1
    case: lower
    salt: pepper
  - {name: STORAGEACCOUNT, shortname: sto, generator: storage, maxLength: 24}
  - {name: APImanagementServiceInstance, shortname: gateway}
";

const LOCATIONS: &str = "\
component: locations
locations:
  - {name: UK South, shortname: lon, alias: London}
  - {name: UK West, shortname: car, alias: [Cardiff, Wales]}
  - {name: West Europe, shortname: ams}
";

const TOKENS: &str = "\
component: tokens
salt: pepper
tokens:
  organisation: acme
  project: till
  architecture: {core: co, iaas: in, paas: pa, monitor: mo}
  environments: {development: dev, integration: int, test: tst, production: prd, default: shr, Sandbox: sbx}
";

/// A project with all of the files, and a document below its root.
fn project() -> Deployment {
    let deployment = Deployment::new(STORAGE, &document(""));
    for (file, text) in
        [("generators", GENERATORS), ("resources", RESOURCES), ("locations", LOCATIONS), ("tokens", TOKENS)]
    {
        deployment.project.write(&format!("_names/{file}.yml"), text);
    }
    deployment.project.write(
        "_tags/globalTags.yml",
        "component: tags\nresourceIds: []\nresourceGroupIds: []\ntags:\n  mandatory: {owner: ops}\n  custom: {cost: 42, empty: ''}\n",
    );
    deployment
}

fn names(outcome: &Outcome) -> Vec<&str> {
    outcome.plan().iter().map(|action| action.resource.name.as_str()).collect()
}

#[test]
fn every_file_with_every_key_is_taken_without_a_word() {
    let (deployment, cloud) = (project(), cloud());
    let context = json!({"context": {"environment": "sandbox", "subscriptionName": "Production"}, "whatIf": true});
    let outcome = deployment.deploy_with(&cloud, context);
    assert_eq!(outcome.warnings(), [] as [&str; 0]);
    let [group, account] = names(&outcome)[..] else { panic!("{outcome:#?}") };
    assert!(group.starts_with("grp-shop-in-sbx-"), "{group}");
    // The local cloud's subscription is 10ca1c10-….
    assert!(account.starts_with("stoorders10ca1c10prod"), "{account}");
    assert_eq!(account.len(), "stoorders10ca1c10prod".len() + 3, "cut to the longest name: {account}");
    let tags = |name: &str| {
        let changes = &outcome.action(name).changes;
        let tags = changes.iter().filter(|change| change.path.starts_with("tags."));
        tags.map(|change| change.path.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(tags(account), ["tags.cost", "tags.owner"]);
}

#[test]
fn a_second_run_finds_what_the_first_has_made() {
    let (deployment, cloud) = (project(), cloud());
    assert_eq!(deployment.deploy(&cloud).summary(), "created 2");
    assert_eq!(deployment.deploy(&cloud).summary(), "unchanged 2");
}

#[test]
fn aliases_of_locations_are_locations_of_names() {
    let deployment = project();
    deployment.project.write(
        "bastion.yml",
        "location: UK West\nservice: {dependencies: {resourceGroup: hub, vnet: hub-network, workspace: central-logs}}\n\
         bastionHosts: [{bastionHostName: jump}]\n",
    );
    let outcome = Deployment::rehearse(&project(), &cloud());
    assert!(outcome.errors().is_empty(), "{outcome:#?}");
    let names = svc_engine::naming::project_convention(&[deployment.project.path("")]).unwrap();
    for alias in ["UK West", "Cardiff", "wales", "UKWest"] {
        let request = svc_engine::naming::NameRequest {
            kind: svc_engine::naming::ResourceKind::PublicIPAddress,
            name: "x",
            architecture: svc_engine::naming::Architecture::Iaas,
            location: Some(alias),
        };
        let name = names.convention.generate(&request, &Default::default(), |_| true).unwrap();
        assert!(name.starts_with("misc-acme-till-x-dev-car-"), "{alias}: {name}");
    }
}

#[test]
fn environments_of_the_project_are_known_and_others_are_told() {
    let (deployment, cloud) = (project(), cloud());
    let outcome = deployment.deploy_with(&cloud, json!({"context": {"environment": "prod"}}));
    assert_eq!(
        outcome.failed_with(),
        (
            "EnvironmentUnknown",
            "'prod' is not an environment; use development, integration, test, production, default or Sandbox."
        )
    );
    let outcome =
        Deployment::new(STORAGE, &document("")).deploy_with(&cloud, json!({"context": {"environment": "Sandbox"}}));
    assert_eq!(
        outcome.failed_with().1,
        "'Sandbox' is not an environment; use development, integration, test, production or default."
    );
    assert!(cloud.requests().is_empty());
}

#[test]
fn a_key_that_no_such_file_has_is_a_warning() {
    let (deployment, cloud) = (project(), cloud());
    deployment
        .project
        .write("_names/tokens.yml", "tokens:\n  organization: acme\n  colour: red\n  architecture: {iaas: in}\n");
    deployment
        .project
        .write("_names/locations.yml", "locations:\n  - {name: UK South, shortname: lon, planet: Earth}\n");
    let outcome = deployment.deploy(&cloud);
    assert_eq!(
        outcome.warnings(),
        [
            "locations.yml:2:38: locations[0].planet: unknown key; known keys are name, shortname, alias; it is ignored",
            "tokens.yml:2:3: tokens.organization: unknown key, did you mean 'organisation'? It is ignored",
            "tokens.yml:3:3: tokens.colour: unknown key; known keys are organisation, project, architecture, environments; it is ignored",
        ]
    );
    assert_eq!(outcome.summary(), "created 2");
}

#[test]
fn names_of_worldwide_resources_may_differ_by_subscription() {
    let (deployment, cloud) = (project(), cloud());
    let of = |context: serde_json::Value| {
        let outcome = deployment.deploy_with(&cloud, json!({"context": context, "whatIf": true}));
        names(&outcome)[1].to_owned()
    };
    // The credential chooses the subscription, or the context does: the name is the same.
    let chosen = of(json!({}));
    assert!(chosen.starts_with("stoorders10ca1c10"), "{chosen}");
    assert_eq!(of(json!({"subscriptionId": svc_local_cloud::LOCAL_SUBSCRIPTION_ID})), chosen);
}
