//! The configuration of Azure Advisor for the subscription.

use serde_json::json;

use super::Run;
use crate::azure::types::ADVISOR_CONFIGURATION;
use crate::commands::shared::compilation::Compilation;
use crate::desired::Desired;

/// The lowest threshold, which 0 stands for.
pub(super) const LOWEST: i64 = 5;

impl Run<'_> {
    pub(super) fn advisor(&self, compilation: &mut Compilation<'_>) {
        let place = self.root.dotted("advisorLowCPUThresholdPercentage");
        let asked = self.settings.advisor_low_cpu_threshold_percentage;
        if asked < LOWEST {
            compilation.warning(
                &place,
                format!("Azure Advisor does not support a threshold of {asked} percent; {LOWEST} is used"),
            );
        }
        // Azure has it as text.
        let body = json!({ "properties": { "lowCpuThreshold": asked.max(LOWEST).to_string() } });
        let id = ADVISOR_CONFIGURATION.child_of(compilation.subscription(), "default");
        compilation.add(Desired {
            origins: vec![("properties.lowCpuThreshold", "")],
            ..Desired::new(id, &ADVISOR_CONFIGURATION, body, place)
        });
    }
}
