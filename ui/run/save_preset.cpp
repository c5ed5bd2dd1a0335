// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/save_preset.h"

#include "ui/run/presets.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"

#include <utility>

namespace plumb::ui {

void askToSavePreset(QWidget& parent, Presets& presets, const RunConfig& config,
                     std::function<void(const Result<QString>&)> told) {
    const auto save = [&presets, config, told = std::move(told)](const QString& name, IfTaken ifTaken) {
        const Result<void> saved = presets.save({name, config}, ifTaken);
        told(saved.has_value() ? Result<QString>(name) : saved.error());
    };
    askText(parent, tr("Save as a preset"), tr("Name of the preset"), presets.freeName(),
            [&parent, &presets, save](const QString& given) {
                const QString name = given.trimmed();
                if (!presets.has(name)) return save(name, IfTaken::Refuse);
                askBefore(parent,
                          {.name = "replacePreset",
                           .title = tr("Save as a preset"),
                           .text = tr("There is a preset “%1” already. Replace it?").arg(name),
                           .more = tr("What it holds now would be lost."),
                           .act = tr("&Replace")},
                          [save, name] { save(name, IfTaken::Replace); });
            });
}

}  // namespace plumb::ui
