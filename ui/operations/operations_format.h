// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "ui/operations/operations_text.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QString>

#include <optional>

// What the texts of the operations table are made with.
namespace plumb::ui::operations {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Operations)
};

[[nodiscard]] inline QString quantity(double value, std::string_view unit) {
    return toText(formatQuantity(value, unit));
}
[[nodiscard]] inline QString exact(std::int64_t value, std::string_view unit) {
    return exactText(value, unit);
}
[[nodiscard]] inline QString orAbsent(std::optional<double> value, std::string_view unit) {
    return value ? quantity(*value, unit) : absentText();
}

}  // namespace plumb::ui::operations
