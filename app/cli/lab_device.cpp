// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lab_device.h"

#include "app/cli/backends.h"
#include "core/base/format_alias.h"
#include "core/base/number_format.h"
#include "core/machine/own_devices.h"

#include <fmt/format.h>

#include <utility>

namespace plumb::cli {

namespace {

std::string dtypeNames() {
    std::string names;
    for (const Dtype dtype : kAllDtypes) names += (names.empty() ? "" : ", ") + std::string(dtypeName(dtype));
    return names;
}

}  // namespace

Result<Machine> labDevice(const Arguments& arguments) {
    const std::string name = arguments.text("device");
    if (arguments.has("device") && !namesGpu(name)) return KnownDevices::load().find(name);
    PLUMB_TRY(protocol::DeviceEntry device, localDevice({BackendChoice::Auto, name}));
    return std::move(device.target.machine);
}

Result<Dtype> labDtype(const Arguments& arguments, Dtype otherwise) {
    if (!arguments.has("dtype")) return otherwise;
    const std::string text = arguments.text("dtype");
    if (const auto dtype = dtypeFromName(canonicalFormat(text))) return *dtype;
    if (const auto format = findFormat(text); format.has_value())
        return Error{ErrorCode::BadInput,
                     fmt::format("elements of {} fill no whole bytes, nor does a pair (--dtype {:s})",
                                 format->label, text),
                     fmt::format("plumbline-cli dtype speaks of it; here choose one of {:s}", dtypeNames())};
    return Error{ErrorCode::BadInput, fmt::format("unknown dtype ({:s})", text),
                 fmt::format("choose one of {:s}", dtypeNames())};
}

std::vector<OptionSpec> labOptions(Dtype otherwise) {
    return {{"dtype", "NAME", fmt::format("element type of all tensors (without: {})", dtypeName(otherwise))},
            {"device", "NAME",
             "a device, built-in or your own, any unambiguous part of its name, or a GPU of this machine by "
             "number "
             "or UUID, or \"local\" (without: this machine)"}};
}

}  // namespace plumb::cli
