// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/save_preset.h"

#include "ui/run/presets.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"

#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace plumb::ui {
namespace {

void askToReplace(QWidget& parent, const QString& name, const std::function<void()>& replace) {
    auto* question = new QMessageBox(QMessageBox::Question, tr("Save as a preset"),
                                     tr("There is a preset “%1” already. Replace it?").arg(name),
                                     QMessageBox::Cancel, &parent);
    question->setObjectName(QStringLiteral("replacePreset"));
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(tr("What it holds now would be lost."));
    question->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* yes = question->addButton(tr("&Replace"), QMessageBox::DestructiveRole);
    question->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    question->setDefaultButton(QMessageBox::Cancel);
    QObject::connect(question, &QMessageBox::buttonClicked, &parent,
                     [yes, replace](const QAbstractButton* button) {
                         if (button == yes) replace();
                     });
    question->open();
}

}  // namespace

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
                askToReplace(parent, name, [save, name] { save(name, IfTaken::Replace); });
            });
}

}  // namespace plumb::ui
