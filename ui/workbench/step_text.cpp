// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/step_text.h"

#include "core/recorded/recorded_step.h"
#include "ui/theme/text.h"

#include <QStringList>

#include <string>

namespace plumb::ui {

QString stepText(const Step& step, std::string_view name) {
    if (dynamic_cast<const RecordedStep*>(&step) == nullptr) return coreText(name);
    const QString between = QStringLiteral(" · ");
    QStringList parts = toText(name).split(between);
    for (QString& part : parts)
        if (const std::string english = part.toStdString(); kPhaseNames.find(english))
            part = coreText(english);
    return parts.join(between);
}

}  // namespace plumb::ui
