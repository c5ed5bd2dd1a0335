// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/machine/machine.h"

namespace plumb::cli {

/// The device of --device, the user's own ones included, or this machine with its calibration. Errors: those
/// of KnownDevices::find().
[[nodiscard]] Result<Machine> labDevice(const Arguments& arguments);
/// The dtype of --dtype, `otherwise` without it. Errors: BadInput with the known names.
[[nodiscard]] Result<Dtype> labDtype(const Arguments& arguments, Dtype otherwise);
/// --device and --dtype, which says that it is `otherwise` when not given.
[[nodiscard]] std::vector<OptionSpec> labOptions(Dtype otherwise);

}  // namespace plumb::cli
