// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/step_text.h"

#include "core/recorded/recorded_step.h"
#include "ui/theme/text.h"

#include <QStringList>

namespace plumb::ui {

namespace {

bool isRecorded(const Step& step) { return dynamic_cast<const RecordedStep*>(&step) != nullptr; }

}  // namespace

QString modulePathText(const Step& step, std::string_view path) {
    return isRecorded(step) ? toText(path) : coreText(path);
}

QString stepText(const Step& step, std::string_view name) {
    return isRecorded(step) ? toText(nameInWords(step, name)) : coreText(name);
}

QString dtypeText(Dtype dtype) {
    const QStringList parts = toText(dtypeName(dtype)).split(u'_');
    return parts.size() == 1 ? parts.front() : parts.front() + u' ' + parts.back().toUpper();
}

}  // namespace plumb::ui
