// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/op_listener.h"
#include "kernels/cupti/detect.h"
#include "kernels/cupti/op_branch.h"

#include <memory>
#include <vector>

namespace plumb::cupti {

/// Collects what the device whose context is current on this thread does: kernels, copies, memsets, memory,
/// waits, and the calls that launched them, laid to the ops that are announced to it. The memory curve starts
/// from `aliveBytes`, which its caller has handed out by now. `branches`: by op, where a replayed step
/// runs it; empty: all in one. Errors: Unavailable with the reason and the remedy; those
/// of CUPTI.
[[nodiscard]] Result<std::unique_ptr<ActivityCollector>>
openActivityCollector(const Libraries& libraries = {}, Bytes aliveBytes = 0,
                      std::vector<OpBranch> branches = {});

}  // namespace plumb::cupti
