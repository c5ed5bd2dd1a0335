// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lab_device.h"

#include "app/cli/backends.h"
#include "core/account/own_devices.h"

#include <fmt/format.h>

#include <utility>

namespace plumb::cli {

Result<Machine> labDevice(const Arguments& arguments) {
    if (arguments.has("device")) return KnownDevices::load().find(arguments.text("device"));
    PLUMB_TRY(protocol::DeviceEntry device, localDevice(BackendChoice::Auto));
    return std::move(device.machine);
}

Result<Dtype> labDtype(const Arguments& arguments, Dtype otherwise) {
    if (!arguments.has("dtype")) return otherwise;
    const std::string text = arguments.text("dtype");
    if (text == "fp8") return Dtype::Fp8E4M3;
    if (const auto dtype = dtypeFromName(text)) return *dtype;
    std::string names;
    for (const Dtype dtype : kAllDtypes) names += (names.empty() ? "" : ", ") + std::string(dtypeName(dtype));
    return Error{ErrorCode::BadInput, fmt::format("unknown dtype ({})", text), "choose one of " + names};
}

std::vector<OptionSpec> labOptions(Dtype otherwise) {
    return {{"dtype", "NAME", fmt::format("element type of all tensors (without: {})", dtypeName(otherwise))},
            {"device", "NAME",
             "a device, built-in or your own, any unambiguous part of its name, or \"local\" (without: this "
             "machine)"}};
}

}  // namespace plumb::cli
