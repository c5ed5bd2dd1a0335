// SPDX-License-Identifier: Apache-2.0
#include "core/export/exported_findings.h"

namespace plumb {

Findings findingsOf(const ExportedStep& step) {
    if (!step.planned) return {};
    if (!step.measured) return findingsOf(Findable{*step.planned, nullptr, step.training.get()});
    // What it cost where it ran is looked at, as findableIn() has it.
    const MeasuredStep measured(step.ranElsewhere ? *step.ranElsewhere : *step.planned, step.measured);
    return findingsOf(Findable{measured, &measured, step.training.get()});
}

}  // namespace plumb
