// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace plumb {
class Step;
}

namespace plumb::ui {

/// What may stand in a bar for an operation of the step, by its name in English: the whole name first and
/// each form shorter than the one before, in the language of the window: "layer 3 · weight gradient", "weight
/// gradient · L3", "weight gradient", "dW 3", "dW". The kind outlives the place, and no word is cut.
[[nodiscard]] QStringList operationForms(const Step& step, const QString& name);
/// The same for a kernel: "void at::native::add_kernel<float>(int)", "at::native::add_kernel", "add_kernel",
/// and what kind of kernel it is, where its name says so: "gemm".
[[nodiscard]] QStringList kernelForms(const QString& name);

}  // namespace plumb::ui
