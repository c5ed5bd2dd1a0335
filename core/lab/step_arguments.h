// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/layout_methods.h"
#include "core/lab/step_cursor.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace plumb::lab {

/// The arguments of a call as they are read.
struct CallArguments {
    std::vector<std::int64_t> numbers;
    std::vector<std::pair<std::string, std::int64_t>> named;
    std::string device;
    bool list = false;  ///< a tuple or list stood for the numbers
};

/// Reads from the opening bracket to the closing one. Errors: BadInput.
[[nodiscard]] Result<CallArguments> readArguments(StepCursor& at);
/// Returns the numbers of a call in the order of the method's parameters, what was left out by its default.
/// Errors: BadInput where they are too many or too few, or not its own.
[[nodiscard]] Result<std::vector<std::int64_t>> argumentsOf(const StepCursor& at, const Method& method,
                                                            const CallArguments& call);
/// Reads what stands behind [, with the closing bracket. Errors: BadInput.
[[nodiscard]] Result<LayoutStep> readIndex(StepCursor& at);

}  // namespace plumb::lab
