//! Names as the replaced module generated them: one wrong letter is a second resource beside a customer's first.

use std::path::Path;

use serde_json::{Value, json};

use svc_engine::azure::types::{
    ACTION_GROUP, API_MANAGEMENT, APP_SERVICE_PLAN, BASTION_HOST, CDN_PROFILE, COMPONENT, METRIC_ALERT,
    PRIVATE_ENDPOINT, PUBLIC_IP_ADDRESS, RESOURCE_GROUP, STORAGE_ACCOUNT, WEB_APP, WORKSPACE,
};
use svc_engine::naming::{
    Architecture, Convention, Environment, NameContext, NameError, NameRequest, ResourceKind, project_convention,
};

use crate::support::estate::{BASTION_HOSTS, Deployment, landing_zone};

fn request<'a>(kind: ResourceKind, name: &'a str, architecture: Architecture, location: &'a str) -> NameRequest<'a> {
    NameRequest { kind, name, architecture, location: Some(location) }
}

/// The name as a command makes it, of the characters that the type of the resource takes.
fn generate(convention: &Convention, request: &NameRequest<'_>, context: &NameContext) -> Result<String, NameError> {
    let resource_type = match request.kind {
        ResourceKind::ResourceGroup => &RESOURCE_GROUP,
        ResourceKind::StorageAccount => &STORAGE_ACCOUNT,
        ResourceKind::PublicIPAddress => &PUBLIC_IP_ADDRESS,
        ResourceKind::BastionHost => &BASTION_HOST,
        ResourceKind::PrivateEndpoint => &PRIVATE_ENDPOINT,
        ResourceKind::LogAnalyticsWorkspace => &WORKSPACE,
        ResourceKind::ApplicationInsights => &COMPONENT,
        ResourceKind::ActionGroup => &ACTION_GROUP,
        ResourceKind::Alert => &METRIC_ALERT,
        ResourceKind::AppServicePlan => &APP_SERVICE_PLAN,
        ResourceKind::WebApp | ResourceKind::FunctionApp => &WEB_APP,
        ResourceKind::ApiManagementService => &API_MANAGEMENT,
        ResourceKind::CdnProfile | ResourceKind::FrontDoor => &CDN_PROFILE,
        ResourceKind::ActionGroupReceiver | ResourceKind::Workbook => {
            return convention.generate(request, context, |_| true);
        }
    };
    convention.generate(request, context, |character| resource_type.takes_in_names(character))
}

fn context(environment: Environment) -> NameContext {
    NameContext { environment, ..NameContext::default() }
}

/// Every kind, by the name that it has in the naming files of customers.
const KINDS: &[(&str, ResourceKind)] = &[
    ("ResourceGroup", ResourceKind::ResourceGroup),
    ("StorageAccount", ResourceKind::StorageAccount),
    ("PublicIPAddress", ResourceKind::PublicIPAddress),
    ("BastionHost", ResourceKind::BastionHost),
    ("PrivateEndpoint", ResourceKind::PrivateEndpoint),
    ("LogAnalyticsWorkspace", ResourceKind::LogAnalyticsWorkspace),
    ("ApplicationInsights", ResourceKind::ApplicationInsights),
    ("ActionGroup", ResourceKind::ActionGroup),
    ("ActionGroupReceiver", ResourceKind::ActionGroupReceiver),
    ("Alert", ResourceKind::Alert),
    ("AppServicePlan", ResourceKind::AppServicePlan),
    ("WebApp", ResourceKind::WebApp),
    ("FunctionApp", ResourceKind::FunctionApp),
    ("CdnProfile", ResourceKind::CdnProfile),
    ("ApiManagementService", ResourceKind::ApiManagementService),
    ("FrontDoor", ResourceKind::FrontDoor),
    ("Workbook", ResourceKind::Workbook),
];

#[test]
fn naming_files_speak_of_kinds_by_these_names() {
    for (name, kind) in KINDS {
        assert_eq!(kind.name(), *name);
    }
}

#[test]
fn names_of_every_generator() {
    use Architecture::{Core, Iaas, Monitor, Paas};
    use Environment::{Default as Shared, Development, Integration, Production, Test};
    let expected = [
        (
            ResourceKind::ResourceGroup,
            "MyResourceGroup",
            Core,
            "UK South",
            Development,
            "rg-myresourcegroup-core-b3760842",
        ),
        (
            ResourceKind::PublicIPAddress,
            "MyPublicIPAddress",
            Iaas,
            "UK South",
            Development,
            "pip-mypublicipaddress-dev-uks-db600510",
        ),
        (ResourceKind::StorageAccount, "MyStorageaccount", Iaas, "UK South", Development, "stmystorageaccountbd0fa5"),
        (ResourceKind::ResourceGroup, "shop-front", Paas, "NorthEurope", Test, "rg-shop-front-paas-0de442b2"),
        (ResourceKind::StorageAccount, "a", Monitor, "UKWest", Integration, "sta13e6a816"),
        (ResourceKind::LogAnalyticsWorkspace, "trailing-", Iaas, "Global", Shared, "log-trailing--shr-gbl-dbea832d"),
        (ResourceKind::ApplicationInsights, "MyApp", Monitor, "UKWest", Production, "appi-myapp-prd-ukw-2abf2a5f"),
        (
            ResourceKind::Alert,
            "mtr-Second-Set A-0",
            Monitor,
            "UK South",
            Development,
            "alt-mtr-second-set a-0-dev-uks-319a566e",
        ),
        (
            ResourceKind::PrivateEndpoint,
            "0-my.endpoint",
            Iaas,
            "UK South",
            Development,
            "ped-0-my.endpoint-dev-uks-cee70fbd",
        ),
        (ResourceKind::WebApp, "MyApp", Iaas, "WestEurope", Production, "app-myapp-prd-42c5f645"),
    ];
    for (kind, name, architecture, location, environment, result) in expected {
        let generated =
            generate(&Convention::builtin(), &request(kind, name, architecture, location), &context(environment));
        assert_eq!(generated.as_deref(), Ok(result));
    }
}

#[test]
fn every_name_the_replaced_module_generated() {
    let Some(path) = shared("spec/names.json") else {
        println!("SKIPPED: ../shared is not here, so the names of the replaced module are not compared.");
        return;
    };
    let lines: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(lines.len() > 100);
    for line in &lines {
        let text = |key: &str| line[key].as_str().unwrap();
        let (_, kind) = *KINDS.iter().find(|(name, _)| *name == text("kind")).unwrap();
        let architecture = [Architecture::Core, Architecture::Iaas, Architecture::Paas, Architecture::Monitor]
            .into_iter()
            .find(|architecture| architecture.key() == text("architecture"))
            .unwrap();
        let request = request(kind, text("name"), architecture, text("location"));
        let generated = generate(&Convention::builtin(), &request, &context(text("environment").parse().unwrap()));
        assert_eq!(generated.as_deref(), Ok(text("result")), "{line}");
    }
}

/// A file of the folder beside the project that holds what is not part of it.
fn shared(file: &str) -> Option<std::path::PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared").join(file));
    beside.chain(std::env::var("SVC_SHARED").map(|folder| Path::new(&folder).join(file))).find(|path| path.is_file())
}

#[test]
fn unknown_locations_and_environments() {
    let error = generate(
        &Convention::builtin(),
        &request(ResourceKind::PublicIPAddress, "x", Architecture::Iaas, "UK Suoth"),
        &context(Environment::Test),
    );
    assert_eq!(error.unwrap_err().to_string(), "'UK Suoth' is not an Azure location, did you mean UK South (uksouth)?");
    assert!("prod".parse::<Environment>().unwrap_err().to_string().contains("production"));
    assert_eq!("PRODUCTION".parse::<Environment>(), Ok(Environment::Production));
}

#[test]
fn a_name_is_shared_where_what_tells_environments_apart_is_cut_off() {
    let is_shared = |convention: &Convention, kind, name: &str| {
        let request = request(kind, name, Architecture::Iaas, "UK South");
        let shared = convention.is_shared(&request, &context(Environment::Test), |_| true, str::to_owned);
        let names = [Environment::Test, Environment::Production]
            .map(|environment| generate(convention, &request, &context(environment)).unwrap());
        assert_eq!(shared, names[0] == names[1] && names[0].len() < name.len() + 20, "{names:?}");
        shared
    };
    let builtin = Convention::builtin();
    // 64 characters in all: `pip-`, the name, and what is left of `-tst-uks-` and the hash.
    assert!(is_shared(&builtin, ResourceKind::PublicIPAddress, &"x".repeat(60)));
    assert!(is_shared(&builtin, ResourceKind::PublicIPAddress, &"x".repeat(59)), "only the hyphen is left");
    assert!(!is_shared(&builtin, ResourceKind::PublicIPAddress, &"x".repeat(58)), "a letter is left");
    assert!(!is_shared(&builtin, ResourceKind::PublicIPAddress, "x"));
    let first = "component: generators\nformats:\n  - name: standard\n    separator: '-'\n    components: [{source: environment}, {source: name}, {source: buildId}]\n";
    let first = project(&[("generators.yml", first)]).unwrap();
    assert!(!is_shared(&first, ResourceKind::PublicIPAddress, &"x".repeat(80)), "the environment is at the front");
}

#[test]
fn a_name_that_environments_would_share_is_a_warning() {
    let name = "x".repeat(60);
    let text = format!(
        "location: UK South\nservice: {{dependencies: {{resourceGroup: landing-zone, workspace: central-logs, vnet: hub-network}}}}\n\
         bastionHosts: [{{bastionHostName: {name}, bastionHostSubnetPrefix: 10.10.250.0/26}}]\n"
    );
    let cloud = landing_zone();
    let outcome = Deployment::new(BASTION_HOSTS, &text).deploy(&cloud);
    assert_eq!(outcome.summary(), "created 4", "{:#?}", outcome.errors());
    let warning = |what: &str, name: &str| {
        format!(
            "settings.yml:3:34: bastionHosts[0].bastionHostName: the name of the {what} is cut to '{name}', without what tells environments apart, so others would share it; use a shorter name"
        )
    };
    let cut = |short: &str| format!("{short}-{name}").chars().take(64).collect::<String>();
    assert_eq!(
        outcome.warnings(),
        [warning("public IP address", &cut("pip")), warning("bastion host", &cut("bastion"))]
    );
}

/// Azure's names of public IP addresses have 80 letters and ours 64, but the labels of DNS 63: the letter that is left of the environment
/// in the name is not in the label.
#[test]
fn a_label_that_environments_would_share_is_a_warning() {
    let deploy = |length: usize, environment: &str| {
        let name = "x".repeat(length);
        let text = format!(
            "location: UK South\nservice: {{dependencies: {{resourceGroup: landing-zone, workspace: central-logs, vnet: hub-network}}}}\n\
             bastionHosts: [{{bastionHostName: {name}, bastionHostSubnetPrefix: 10.10.250.0/26}}]\n"
        );
        let cloud = landing_zone();
        let outcome =
            Deployment::new(BASTION_HOSTS, &text).deploy_with(&cloud, json!({"context": {"environment": environment}}));
        let address = outcome.plan().iter().find(|action| action.resource.label == "public IP address").unwrap();
        let label = address.changes.iter().find(|change| change.path.ends_with("domainNameLabel")).unwrap();
        let label = label.after.as_ref().unwrap().as_str().unwrap().to_owned();
        let of_label = |warning: &&&str| warning.contains("the DNS label of the public IP address is cut to");
        (
            address.resource.name.clone(),
            label,
            outcome.warnings().iter().filter(of_label).map(ToString::to_string).collect::<Vec<_>>(),
        )
    };
    let [(test_name, test_label, warnings), (production_name, production_label, _)] =
        ["test", "production"].map(|environment| deploy(58, environment));
    assert_ne!(test_name, production_name);
    assert_eq!((&test_label, test_label.len()), (&production_label, 62), "the hyphen at its end is taken away");
    assert_eq!(
        warnings,
        [format!(
            "settings.yml:3:34: bastionHosts[0].bastionHostName: the DNS label of the public IP address is cut to '{test_label}', without what tells environments apart, so others would share it; use a shorter name"
        )]
    );
    // A letter shorter, it is in the label; a letter longer, the name itself is shared, and that is told.
    for length in [57, 59] {
        assert_eq!(deploy(length, "test").2, [] as [&str; 0]);
    }
}

fn project(files: &[(&str, &str)]) -> Result<Convention, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("_names")).unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join("_names").join(name), text).unwrap();
    }
    let names = project_convention(&[folder.path().join("below"), folder.path().to_owned()]);
    names.map(|names| names.convention).map_err(|error| error.report().failure.message)
}

#[test]
fn a_generator_of_a_wrong_name_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let names = folder.path().join("_names");
    std::fs::create_dir(&names).unwrap();
    let generators =
        "formats:\n  - {name: storge, components: [{source: name}]}\n  - {name: ours, components: [{source: name}]}\n";
    std::fs::write(names.join("generators.yml"), generators).unwrap();
    std::fs::write(names.join("token.yml"), "").unwrap();
    let found = || project_convention(&[folder.path().to_owned()]);
    let warnings = found().unwrap().warnings;
    let places: Vec<_> =
        warnings.iter().map(|warning| warning.place.as_ref().map(|place| (place.line, place.column))).collect();
    assert_eq!(places, [None, Some((2, 12)), Some((3, 12))]);
    assert_eq!(
        warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>(),
        [
            "The file '_names/token.yml' is not read: did you mean 'tokens.yml'?",
            "generators.yml:2:12: formats[0].name: no kind of resource uses the generator 'storge', did you mean 'storage'?",
            "generators.yml:3:12: formats[1].name: no kind of resource uses the generator 'ours'",
        ]
    );
    std::fs::write(names.join("resources.yml"), "resources: [{name: storageAccount, generator: ours}]").unwrap();
    assert_eq!(found().unwrap().warnings.len(), 2, "it is used");
    std::fs::write(names.join("resources.yml"), "resources: [{name: storageAccount, generator: storag}]").unwrap();
    let error = found().unwrap_err().report().failure.message;
    assert!(
        error.contains("'storag' is not a generator, did you mean 'storage'? Known generators are standard, "),
        "{error}"
    );
}

#[test]
fn a_projects_own_files() {
    let generators = "component: generators\nformats:\n  - name: Storage\n    separator: ''\n    case: lower\n    components:\n      - source: resource\n      - source: organisation\n      - source: name\n        maxLength: 5\n        minLength: 1\n      - source: subscriptionName\n      - source: buildId\n        maxLength: 4\n        salt: x\n    removeCharacters: ['-', '_']\n";
    let resources = "defaults: {generator: standard, shortname: misc}\nresources:\n  - {name: storageaccount, shortname: sa, maxLength: 20, generator: storage}\n  - {name: APImanagementServiceInstance, shortname: api}\n";
    let locations = "locations:\n  - {name: UK South, shortname: lon, alias: London}\n";
    let tokens = "tokens:\n  organisation: Contoso\n  architecture: {iaas: inf}\n  environments: {development: d}\n";
    let convention = project(&[
        ("generators.yml", generators),
        ("resources.yml", resources),
        ("locations.yaml", locations),
        ("tokens.yml", tokens),
    ])
    .unwrap();
    let context = NameContext { subscription_name: Some("Production".to_owned()), ..NameContext::default() };
    let name =
        |kind, name| generate(&convention, &request(kind, name, Architecture::Iaas, "London"), &context).unwrap();
    // Tokens are used as they are written, then what Azure refuses (the capital letter) is removed.
    assert!(name(ResourceKind::StorageAccount, "My-Account").starts_with("saontosomyacprod"));
    assert_eq!(name(ResourceKind::StorageAccount, "My-Account").len(), 20);
    assert!(name(ResourceKind::ApiManagementService, "x").starts_with("api-x-d-lon-"));
    // What the file of kinds lacks takes its defaults.
    assert!(name(ResourceKind::PublicIPAddress, "x").starts_with("misc-x-d-lon-"));
    assert!(name(ResourceKind::ResourceGroup, "x").starts_with("misc-x-d-lon-"));
    let unknown = NameContext { subscription_name: None, ..context };
    let name =
        generate(&convention, &request(ResourceKind::StorageAccount, "x", Architecture::Iaas, "London"), &unknown);
    assert!(name.unwrap().starts_with("saontosox"), "an unknown subscription is an empty segment");
}

#[test]
fn everything_wrong_with_a_projects_files() {
    let generators = "formats:\n  - name: x\n    components:\n      - source: nmae\n      - sourc: name\n";
    assert_eq!(
        project(&[("generators.yml", generators)]).unwrap_err(),
        "generators.yml has 2 problems:\n[1] 4:17 formats[0].components[0].source: 'nmae' is not valid, did you mean 'name'? Use resource, \
         name, environment, location, region, architecture, organisation, project, subscriptionName, subscriptionId, packageVersion, timestamp, \
         hash, buildId or app\n[2] 5:9 formats[0].components[1].source: required, but not set"
    );
    let resources = "defaults: {generator: standrad}\nresources:\n  - {name: a, generator: b, maxLength: 0}\n";
    let locations = "locations: [{name: London, shortname: l}, {name: london, shortname: m}]\n";
    let generators = "formats:\n  - name: x\n    components: [{source: nmae}]\n";
    let message =
        project(&[("generators.yml", generators), ("resources.yml", resources), ("locations.yml", locations)])
            .unwrap_err();
    assert!(message.contains("formats[0].components[0].source: 'nmae' is not valid"), "{message}");
    assert!(message.contains("did you mean 'name'?"), "{message}");
    assert!(message.contains("resources[0].maxLength: 0 is out of range; use 1 to 260"), "{message}");
    assert!(message.contains("duplicate location 'london'"), "{message}");
}

/// The hashes are the first digits of `printf 'res-0-orders-dev-uks|' | md5sum`, and so on.
#[test]
fn kinds_and_architectures_that_the_files_lack_are_named_as_the_replaced_module_named_them() {
    let convention = project(&[
        (
            "resources.yml",
            "defaults: {generator: standard, shortname: res}\nresources: [{name: ResourceGroup, shortname: rg, generator: resourcegroup}]\n",
        ),
        ("tokens.yml", "organisation: contoso\narchitecture: {iaas: iaas}\n"),
    ])
    .unwrap();
    let name = |kind, name, architecture| {
        let request = request(kind, name, architecture, "UK South");
        (generate(&convention, &request, &NameContext::default()).unwrap(), convention.fallbacks(&request))
    };
    let (generated, fallbacks) = name(ResourceKind::PrivateEndpoint, "0-orders", Architecture::Iaas);
    assert_eq!(generated, "res-0-orders-dev-uks-1fc60fd3");
    assert_eq!(
        fallbacks,
        [
            "resources.yml: the kind PrivateEndpoint is not in the file, so its names are made from the defaults of the file: the short name 'res' and the generator 'standard'"
        ]
    );
    // No limit either: what is too long for Azure is a finding, and no other name.
    let long = "a".repeat(70);
    let (generated, _) = name(ResourceKind::PrivateEndpoint, &long, Architecture::Iaas);
    assert_eq!(generated, format!("res-{long}-dev-uks-74d662a7"));
    // The segment is empty in the hash, too.
    let (generated, fallbacks) = name(ResourceKind::ResourceGroup, "shop", Architecture::Paas);
    assert_eq!(generated, "rg-shop-134345b0");
    assert_eq!(fallbacks, ["tokens.yml: there is no token for the architecture 'paas', so names have no such part"]);
    let (_, fallbacks) = name(ResourceKind::ResourceGroup, "shop", Architecture::Iaas);
    assert_eq!(fallbacks, [] as [&str; 0]);
    // Without a file of tokens the words are the built-in ones, and without defaults the kinds are.
    let convention = project(&[("resources.yml", "resources: [{name: ResourceGroup, shortname: group}]\n")]).unwrap();
    let of = |kind| generate(&convention, &request(kind, "x", Architecture::Paas, "UK South"), &NameContext::default());
    assert!(of(ResourceKind::PrivateEndpoint).unwrap().starts_with("ped-x-dev-uks-"));
    assert!(of(ResourceKind::ResourceGroup).unwrap().starts_with("group-x-paas-"));
}

#[test]
fn locations_as_they_were_called_before_june_2021() {
    let generators =
        "formats: [{name: standard, separator: '-', components: [{source: resource}, {source: region}]}]\n";
    for (file, text) in [
        ("regions.yml", "regions: [{name: UK South, shortname: lon, alias: London}]\n"),
        ("regions.yml", "locations: [{name: UK South, shortname: lon, alias: [London]}]\n"),
        ("locations.yml", "regions: [{name: UK South, shortname: lon, alias: London}]\n"),
    ] {
        let convention = project(&[("generators.yml", generators), (file, text)]).unwrap();
        for location in ["London", "uksouth"] {
            let request = request(ResourceKind::BastionHost, "x", Architecture::Iaas, location);
            assert_eq!(generate(&convention, &request, &NameContext::default()).unwrap(), "bastion-lon", "{text}");
        }
    }
    let both = [
        ("locations.yml", "locations: [{name: UK South, shortname: new}]\n"),
        ("regions.yml", "regions: [{name: UK South, shortname: old}]\n"),
    ];
    let convention = project(&[("generators.yml", generators), both[0], both[1]]).unwrap();
    let request = request(ResourceKind::BastionHost, "x", Architecture::Iaas, "uksouth");
    assert_eq!(generate(&convention, &request, &NameContext::default()).unwrap(), "bastion-new");
}
