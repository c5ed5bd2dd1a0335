// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_plan.h"

namespace plumb {

BackendTraits cpuTraits() {
    BackendTraits traits;
    traits.backend = "cpu";
    traits.castsBf16Products = true;
    traits.libraryScratchBytes = 0;
    traits.libraryScratchPerByte = 0;
    traits.libraryScratchBase = 0;
    return traits;
}

}  // namespace plumb
