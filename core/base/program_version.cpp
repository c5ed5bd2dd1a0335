// SPDX-License-Identifier: Apache-2.0
#include "core/base/program_version.h"

#include "plumbline_version.h"

namespace plumb {

std::string programVersion() { return "plumbline " PLUMBLINE_VERSION " (" PLUMBLINE_REVISION ")"; }

}  // namespace plumb
