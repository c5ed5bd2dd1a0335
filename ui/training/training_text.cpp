// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_text.h"

#include "core/base/quantity.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace plumb::ui {

QString quantityText(double value, std::string_view unit) {
    return QString::fromStdString(formatQuantity(value, unit));
}

QString countText(std::int64_t value) { return QString::fromStdString(formatExact(value, "")).trimmed(); }

QString lossText(double loss, int digits) {
    if (std::isnan(loss)) return QCoreApplication::translate("TrainingView", "not a number");
    if (std::isinf(loss)) return loss > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const double size = std::abs(loss);
    if (size >= 1e-4 && size < 1e5) {
        const int before = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
        const int zeros = size > 0 && size < 1 ? -static_cast<int>(std::floor(std::log10(size))) - 1 : 0;
        return QString::number(loss, 'f', std::max(0, digits - before + zeros));
    }
    return QString::number(loss, 'g', digits);
}

QString lossUnit(const RunConfig& config) {
    if (!config.standardizeTargets || !config.readsFiles()) return {};
    return QCoreApplication::translate("TrainingView", ", in units of the variance of the targets");
}

}  // namespace plumb::ui
