// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/table.h"

namespace plumb::cli {

using plumb::Table;

}  // namespace plumb::cli
