// SPDX-License-Identifier: Apache-2.0
#include "core/export/exported_findings.h"

namespace plumb {

Findings findingsOf(const ExportedStep& step) {
    if (!step.planned) return {};
    if (!step.measured) return findingsOf(Findable{*step.planned, nullptr, step.training.get()});
    const MeasuredStep measured(*step.planned, step.measured);
    return findingsOf(Findable{*step.planned, &measured, step.training.get()});
}

}  // namespace plumb
