// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel_report/kernel_report.h"
#include "ui/opened/opened_file.h"

namespace plumb::ui {

/// What Nsight Compute counted of kernels. Immutable, shared with workers.
struct OpenedKernels {
    KernelReport report;
};

[[nodiscard]] Result<OpenedKernels> readOpenedKernels(const std::string& path, const ReadControl& control);

}  // namespace plumb::ui
