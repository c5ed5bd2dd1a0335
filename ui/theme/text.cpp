// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"

#include "core/base/words.h"

#include <QRegularExpression>

#include <cmath>

namespace plumb::ui {

namespace {

/// The sentence as the window says it, which has controls where the command line has commands and options.
QString withControls(QString text) {
    static const QRegularExpression kBackend(QStringLiteral("\\s*[(（]--backend cuda[)）]"));
    // The window keeps the faster of two calibrations; to replace one, or to measure ranks, takes the command
    // line.
    static const QRegularExpression kCalibrate(
        QStringLiteral("plumbline-cli calibrate --backend [a-z]+\\b(?! --(?:replace|ranks))"));
    text.remove(kBackend);
    return text.replace(kCalibrate, tr("“Calibrate this machine”"));
}

}  // namespace

QString coreText(std::string_view text) {
    const QString told = toText(localProse(inWords(text)));
    return text.find("--backend ") == text.npos ? told : withControls(told);
}

QString relativeText(double share) {
    constexpr double kTenths = 0.9995, kMost = 9.995;
    if (share == 0) return QStringLiteral("0 %");
    // As a share it would be wider than a column, and nobody reads five digits of percent.
    if (std::abs(share) >= kMost) return QStringLiteral("×") + quantityText(share + 1, "");
    return (share < 0 ? QStringLiteral("−") : QStringLiteral("+")) +
           numberText(std::abs(share) * 100, 'f', std::abs(share) < kTenths ? 1 : 0) + QStringLiteral(" %");
}

QString lossText(double loss, int digits) {
    if (std::isnan(loss)) return tr("not a number");
    if (std::isinf(loss)) return loss > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const double size = std::abs(loss);
    if (size >= 1e-4 && size < 1e5) {
        const int before = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
        const int zeros = size > 0 && size < 1 ? -static_cast<int>(std::floor(std::log10(size))) - 1 : 0;
        return numberText(loss, 'f', std::max(0, digits - before + zeros));
    }
    return numberText(loss, 'g', digits);
}

}  // namespace plumb::ui
