// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recorded/step_file.h"

namespace plumb {

/// What a device has to hold for a recorded step.
struct DeviceNeed {
    Bytes tensors = 0;  ///< most that live at once
    std::optional<Bytes>
        reserved;       ///< of a GPU: what the caching allocator takes for them, workspaces included
    Bytes context = 0;  ///< of a GPU: an allowance for the driver (kContextBytes)
    [[nodiscard]] Bytes total() const { return reserved.value_or(tensors) + context; }
};
/// On a device of this backend. What the allocator reserves is known of a step that was predicted for a GPU.
[[nodiscard]] DeviceNeed deviceNeedOf(const StepFile& file, std::string_view backend);

}  // namespace plumb
