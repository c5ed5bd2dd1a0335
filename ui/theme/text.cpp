// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"

#include "core/base/words.h"

#include <QRegularExpression>

namespace plumb::ui {

namespace {

/// The sentence as the window says it, which has controls where the command line has commands and options.
QString withControls(QString text) {
    static const QRegularExpression kBackend(QStringLiteral("\\s*[(（]--backend cuda[)）]"));
    // The window keeps the faster of two calibrations; to replace one takes the command line.
    static const QRegularExpression kCalibrate(
        QStringLiteral("plumbline-cli calibrate --backend [a-z]+\\b(?! --replace)"));
    text.remove(kBackend);
    return text.replace(kCalibrate, tr("“Calibrate this machine”"));
}

}  // namespace

QString coreText(std::string_view text) {
    const QString told = toText(localProse(inWords(text)));
    return text.find("--backend ") == text.npos ? told : withControls(told);
}

}  // namespace plumb::ui
