// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/dtype.h"

#include <QString>

#include <string_view>

namespace plumb {
class Step;
}

namespace plumb::ui {

/// A name that the step gives to an op, a module or a tensor of its own, in the language of the window. What
/// a recorded program calls its modules stays as it is ("head" is no output head there); the phase between
/// them is ours.
[[nodiscard]] QString stepText(const Step& step, std::string_view name);
/// As stepText(), of a module: those of a recorded step have the names that its author gave them, whatever
/// words these are.
[[nodiscard]] QString modulePathText(const Step& step, std::string_view path);
/// "fp8 E4M3": a format of numbers as its name is written, which in files and options is one word.
[[nodiscard]] QString dtypeText(Dtype dtype);

}  // namespace plumb::ui
