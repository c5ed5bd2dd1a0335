// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opened/opened_kernels.h"

namespace plumb::ui {

Result<OpenedKernels> readOpenedKernels(const std::string& path, const ReadControl& /*control*/) {
    PLUMB_TRY(KernelReport report, readKernelReport(path));
    return OpenedKernels{std::move(report)};
}

}  // namespace plumb::ui
