// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/step_text.h"

#include "core/recorded/recorded_step.h"
#include "ui/theme/text.h"

#include <QStringList>

#include <string>

namespace plumb::ui {

namespace {

bool isRecorded(const Step& step) { return dynamic_cast<const RecordedStep*>(&step) != nullptr; }

}  // namespace

QString modulePathText(const Step& step, std::string_view path) {
    return isRecorded(step) ? toText(path) : coreText(path);
}

QString stepText(const Step& step, std::string_view name) {
    if (!isRecorded(step)) return coreText(name);
    const QString between = QStringLiteral(" · ");
    QStringList parts = toText(name).split(between);
    for (QString& part : parts)
        if (const std::string english = part.toStdString(); kPhaseNames.find(english))
            part = coreText(english);
    return parts.join(between);
}

}  // namespace plumb::ui
