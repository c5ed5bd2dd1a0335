// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/planner/evidence.h"

#include <functional>

namespace plumb::cli {

/// Published trainings predicted from others of the same source that are taken as measured, by how far they
/// lie apart; prints text or JSON.
[[nodiscard]] Result<void> printCarrying(const Arguments& arguments, const planner::Evidence& evidence,
                                         const std::function<bool(const planner::PublishedTraining&)>& takes);

}  // namespace plumb::cli
