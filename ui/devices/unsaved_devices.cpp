// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/unsaved_devices.h"

#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"
#include "ui/workbench/device_library.h"

#include <QMessageBox>
#include <QPushButton>

namespace plumb::ui {

QString unsavedDevices(const DeviceLibrary& library) {
    QStringList names;
    for (const auto& [id, draft] : library.drafts()) {
        if (draft.texts.empty()) continue;
        const auto typed = draft.texts.find("name");
        const QString name = typed == draft.texts.end() ? QString() : typed->second.trimmed();
        names << (name.isEmpty() ? tr("New device") : tr("“%1”").arg(name));
    }
    return listText(names);
}

void afterUnsavedDevices(QWidget& parent, const DeviceLibrary& library,
                         const std::function<void()>& proceed) {
    const QString names = unsavedDevices(library);
    if (names.isEmpty()) return proceed();
    auto* question =
        new QMessageBox(QMessageBox::Question, tr("Devices"),
                        tr("What was typed of these device records is not saved: %1.").arg(names),
                        QMessageBox::Discard | QMessageBox::Cancel, &parent);
    question->setObjectName(QStringLiteral("unsavedDevices"));
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(tr("Devices… in the menu Run shows them; Save there keeps them."));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->button(QMessageBox::Discard)->setText(tr("&Do not save"));
    question->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    question->setDefaultButton(QMessageBox::Cancel);
    QObject::connect(question, &QMessageBox::buttonClicked, &parent,
                     [question, proceed](QAbstractButton* button) {
                         if (question->standardButton(button) == QMessageBox::Discard) proceed();
                     });
    ask(*question);
}

}  // namespace plumb::ui
