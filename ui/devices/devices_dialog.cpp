// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/devices_dialog.h"

#include "ui/devices/device_list.h"
#include "ui/theme/error_text.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dialogs.h"

#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

/// The figures of a data sheet without what was measured on the machine, under a name that `all` leave free.
Machine copyToEdit(const Machine& machine, const std::vector<Machine>& all, const QString& source) {
    Machine copy = machine;
    copy.costs.reset();
    copy.ofRanks.clear();
    copy.copies.reset();
    copy.index.reset();
    copy.uuid.clear();
    copy.checked.reset();
    copy.perOpOverhead.reset();
    copy.measuredMatmulFlopPerSecond.clear();
    copy.source = source.toStdString().substr(0, kMostSourceBytes);
    copy.id.clear();
    copy = renamedApart(std::move(copy), all);
    copy.id.clear();
    return copy;
}

}  // namespace

DevicesDialog::DevicesDialog(Theme& theme, DeviceLibrary& library, QWidget* parent)
    : QDialog(parent), m_library(library) {
    setObjectName(QStringLiteral("devicesDialog"));
    setWindowTitle(tr("Devices"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(16, 14, 16, 14);
    outer->setSpacing(10);
    m_banner = new Banner(theme, this);
    outer->addWidget(m_banner);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(18);
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    m_list = new DeviceList(
        theme, library, [&library](const std::string& id) { return library.drafts().contains(id); }, this);
    left->addWidget(m_list, 1);
    left->addLayout(makeListButtons());
    columns->addLayout(left);
    auto* right = new QVBoxLayout;
    right->setSpacing(10);
    m_sheet = new DeviceSheet(theme, this);
    right->addWidget(m_sheet, 1);
    right->addLayout(makeSheetButtons());
    columns->addLayout(right, 1);
    outer->addLayout(columns, 1);
    connect(m_list, &DeviceList::currentChanged, this, &DevicesDialog::showSheet);
    connect(m_list, &DeviceList::chosen, this, &DevicesDialog::chosen);
    connect(m_list, &DeviceList::deleteRequested, this, &DevicesDialog::removeCurrent);
    connect(m_sheet, &DeviceSheet::edited, this, &DevicesDialog::keepDraft);
    connect(&library, &DeviceLibrary::changed, this, &DevicesDialog::refresh);
    connect(&library, &DeviceLibrary::gpusChanged, this, &DevicesDialog::refresh);
    connect(&library, &DeviceLibrary::failed, this,
            [this](const Error& error) { m_banner->showMessage(Banner::Kind::Error, errorSentence(error)); });
    if (const auto& problem = library.known().problem)
        m_banner->showMessage(Banner::Kind::Error, errorSentence(*problem));
    resize(960, 680);
    refresh();
}

DevicesDialog::~DevicesDialog() = default;

QPushButton* DevicesDialog::makeButton(const QString& text, const char* name, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    button->setAutoDefault(false);
    return button;
}

QLayout* DevicesDialog::makeListButtons() {
    m_new = makeButton(tr("&New"), "devicesNew", tr("Enter a device by hand"));
    m_duplicate =
        makeButton(tr("D&uplicate"), "devicesDuplicate", tr("Begin a record of your own from this one"));
    m_delete = makeButton(tr("&Delete"), "devicesDelete", tr("Delete this record; Undo brings it back"));
    m_import = makeButton(tr("&Import…"), "devicesImport", tr("Add the records of a file"));
    m_export = makeButton(tr("&Export…"), "devicesExport", tr("Write your own records to a file"));
    m_undo = makeButton(tr("Undo"), "devicesUndo", tr("Take back the last change of the records"));
    m_redo = makeButton(tr("Redo"), "devicesRedo", tr("Make the change again that was taken back"));
    auto* grid = new QGridLayout;
    grid->setSpacing(6);
    int place = 0;
    for (QPushButton* button : {m_new, m_duplicate, m_delete, m_import, m_export, m_undo, m_redo}) {
        grid->addWidget(button, place / 4, place % 4);
        place += place == 2 ? 2 : 1;  // files and history in a line of their own
    }
    for (int column = 0; column < 4; ++column) grid->setColumnStretch(column, 1);
    connect(m_new, &QPushButton::clicked, this,
            [this] { beginDraft(Machine{.source = tr("entered by hand").toStdString()}); });
    connect(m_duplicate, &QPushButton::clicked, this, [this] {
        if (const Machine* machine = shown())
            beginDraft(
                copyToEdit(*machine, m_library.known().all(),
                           tr("copied from %1 (%2)").arg(deviceText(*machine), coreText(machine->source))));
    });
    connect(m_delete, &QPushButton::clicked, this, &DevicesDialog::removeCurrent);
    connect(m_import, &QPushButton::clicked, this, &DevicesDialog::askImport);
    connect(m_export, &QPushButton::clicked, this, &DevicesDialog::askExport);
    QUndoStack& stack = m_library.stack();
    connect(m_undo, &QPushButton::clicked, &stack, &QUndoStack::undo);
    connect(m_redo, &QPushButton::clicked, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::indexChanged, this, &DevicesDialog::updateButtons);
    connect(new QShortcut(QKeySequence::Undo, this), &QShortcut::activated, &stack, &QUndoStack::undo);
    connect(new QShortcut(QKeySequence::Redo, this), &QShortcut::activated, &stack, &QUndoStack::redo);
    return grid;
}

QLayout* DevicesDialog::makeSheetButtons() {
    m_save = makeButton(tr("&Save"), "devicesSave", tr("Keep this record; it can be chosen everywhere then"));
    m_save->setProperty(kPrimaryButton, true);
    m_save->setDefault(false);
    m_revert = makeButton(tr("&Revert"), "devicesRevert", tr("Forget what was typed"));
    auto* close = makeButton(tr("&Close"), "devicesClose", tr("Close this window; what was typed stays"));
    connect(m_save, &QPushButton::clicked, this, &DevicesDialog::save);
    connect(m_revert, &QPushButton::clicked, this, &DevicesDialog::revert);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_save);
    buttons->addWidget(m_revert);
    buttons->addStretch(1);
    buttons->addWidget(close);
    return buttons;
}

const std::string& DevicesDialog::current() const { return m_list->current(); }

const Machine* DevicesDialog::shown() const {
    if (const auto draft = m_library.drafts().find(current()); draft != m_library.drafts().end())
        return &draft->second.base;
    return m_library.find(current());
}

bool DevicesDialog::editable() const { return current().empty() || m_library.isOwn(current()); }

void DevicesDialog::select(const std::string& id) {
    m_list->clearFilter();
    showDevice(id);
}

void DevicesDialog::showDevice(const std::string& id) {
    m_list->setCurrent(id);
    refresh();
}

void DevicesDialog::refresh() {
    m_list->refresh();
    showSheet();
}

void DevicesDialog::showSheet() {
    const Machine* machine = shown();
    if (!machine) return;
    const auto draft = m_library.drafts().find(current());
    m_sheet->showDevice(
        *machine, draft != m_library.drafts().end() ? &draft->second.texts : nullptr, editable(),
        current().empty() ? tr("New record. Give a name and at least one figure.")
        : m_library.isHere(current())
            ? tr("This machine. Its peaks and its bandwidth come from Calibrate in the menu Run.")
        : editable() ? tr("A record of your own.")
                     : tr("Built in, to read. Duplicate it to change a figure."));
    updateButtons();
}

void DevicesDialog::updateButtons() {
    const bool draft = m_library.drafts().contains(current());
    m_save->setVisible(editable());
    m_revert->setVisible(editable());
    m_save->setEnabled(draft);
    m_revert->setEnabled(draft);
    m_delete->setEnabled(editable());
    m_duplicate->setEnabled(!current().empty());
    m_export->setEnabled(!m_library.known().own.empty());
    m_undo->setEnabled(m_library.stack().canUndo());
    m_redo->setEnabled(m_library.stack().canRedo());
}

void DevicesDialog::keepDraft() {
    const Machine* machine = shown();
    if (!machine || !editable()) return;
    const bool isNew = !m_library.drafts().contains(current());
    if (isNew) m_library.drafts()[current()].base = *machine;
    m_library.drafts()[current()].texts = m_sheet->texts();
    if (isNew) m_list->refresh();
    updateButtons();
}

void DevicesDialog::beginDraft(Machine base) {
    const auto draft = m_library.drafts().find({});
    const bool isTyped = draft != m_library.drafts().end() && !draft->second.texts.empty();
    if (!isTyped) m_library.drafts()[{}] = {std::move(base)};
    select({});
    m_sheet->focusName();
    if (isTyped)
        m_banner->showMessage(Banner::Kind::Notice,
                              tr("This new record is not saved yet: save or revert it, then begin another."));
}

void DevicesDialog::save() {
    const auto found = m_library.drafts().find(current());
    if (found == m_library.drafts().end()) return;
    std::vector<Machine> others = m_library.known().all();
    std::erase_if(others, [this](const Machine& machine) { return machine.id == current(); });
    std::optional<Machine> machine = m_sheet->read(found->second.base, others);
    if (!machine) return;
    if (machine->id.empty()) machine = renamedApart(std::move(*machine), others);
    const DeviceDraft kept = found->second;
    const std::string before = current();
    m_library.drafts().erase(found);
    m_list->setCurrent(machine->id);
    if (m_library.put(*machine)) return m_banner->hide();
    m_library.drafts()[before] = kept;  // what was typed stays until it can be kept
    showDevice(before);
}

void DevicesDialog::revert() {
    m_library.drafts().erase(current());
    if (current().empty()) m_list->setCurrent(m_library.known().local.id);
    refresh();
}

void DevicesDialog::removeCurrent() {
    if (current().empty()) return revert();
    if (!m_library.isOwn(current())) return;
    const std::string id = current();
    const QString name = toText(m_library.find(id) ? m_library.find(id)->name : id);
    m_library.drafts().erase(id);
    if (m_library.remove(id))
        m_banner->showMessage(Banner::Kind::Notice, tr("%1 was deleted").arg(name), tr("Undo"),
                              [this] { m_library.stack().undo(); });
}

void DevicesDialog::importFile(const QString& path) {
    const std::vector<std::string> ids = m_library.importFrom(path);
    if (ids.empty()) return;
    select(ids.front());
    m_banner->showMessage(Banner::Kind::Notice,
                          ids.size() == 1 ? tr("1 device imported")
                                          : tr("%1 devices imported").arg(ids.size()),
                          tr("Undo"), [this] { m_library.stack().undo(); });
}

void DevicesDialog::exportFile(const QString& path) {
    if (m_library.exportTo(path, m_library.known().own))
        m_banner->showMessage(Banner::Kind::Notice, tr("Exported to %1").arg(path));
}

void DevicesDialog::askImport() {
    askOpenPath(*this, tr("Import devices"), QDir::homePath(), tr("Device records (*.json);;All files (*)"),
                [this](const QString& path) { importFile(path); });
}

void DevicesDialog::askExport() {
    askSavePath(*this, tr("Export devices"), QDir::home().filePath(QStringLiteral("devices.json")),
                tr("Device records (*.json)"), QStringLiteral("json"),
                [this](const QString& path) { exportFile(path); });
}

}  // namespace plumb::ui
