// SPDX-License-Identifier: GPL-3.0-or-later
// What the user changes in the data sheets: typing, saving, deleting, files.
#include "ui/devices/devices_dialog.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/field_row.h"

#include <QDir>
#include <QLineEdit>

#include <algorithm>
#include <utility>

namespace plumb::ui {

void DevicesDialog::keepDraft() {
    const Machine* machine = shown();
    if (m_filling || !machine || !editable()) return;
    const bool isNew = !m_drafts.contains(m_current);
    if (isNew) m_drafts[m_current].base = *machine;
    Draft& draft = m_drafts[m_current];
    for (const Row& row : m_rows) draft.texts[row.key] = row.field->text();
    if (isNew) fillList();
    updateButtons();
}

void DevicesDialog::checkRow(const Row& row) {
    row.field->showError({});
    if (!row.figure) return;
    if (const auto value = parseFigure(*row.figure, row.field->text().toStdString()); !value.has_value())
        row.field->showError(QString::fromStdString(value.error().text()));
}

void DevicesDialog::beginDraft(Machine base) {
    m_filter->clear();
    Draft draft;
    draft.base = std::move(base);
    m_drafts[{}] = std::move(draft);
    m_current.clear();
    fillList();
    showSheet();
    m_rows.front().field->focusField();
}

void DevicesDialog::save() {
    const auto found = m_drafts.find(m_current);
    if (found == m_drafts.end()) return;
    Machine machine = found->second.base;
    const Row* wrong = nullptr;
    for (const Row& row : m_rows) {
        checkRow(row);
        const std::string text = row.field->text().trimmed().toStdString();
        if (row.key == "name") {
            machine.name = text;
        } else if (row.key == "source") {
            machine.source = text;
        } else if (const auto value = parseFigure(*row.figure, text); value.has_value()) {
            if (row.key == "link_bytes_per_s" && figureOf(machine, *row.figure) != *value)
                machine.linkName.clear();
            setFigure(machine, *row.figure, *value);
        } else if (!wrong) {
            wrong = &row;
        }
    }
    const std::vector<Machine> all = others();
    for (const DeviceProblem& problem : problemsOf(machine, all)) {
        const auto row = std::ranges::find(m_rows, problem.key, &Row::key);
        if (row == m_rows.end() || row->field->hasError()) continue;
        row->field->showError(QString::fromStdString(problem.error.text()));
        if (!wrong) wrong = &*row;
    }
    if (wrong) return wrong->field->focusField();
    if (machine.id.empty()) machine = renamedApart(std::move(machine), all);
    const Draft kept = found->second;
    m_drafts.erase(found);
    const std::string before = std::exchange(m_current, machine.id);
    if (m_library.put(machine)) return m_banner->hide();
    m_current = before;  // what was typed stays until it can be kept
    m_drafts[m_current] = kept;
    fillList();
    showSheet();
}

void DevicesDialog::revert() {
    m_drafts.erase(m_current);
    if (m_current.empty()) m_current = m_library.known().local.id;
    fillList();
    showSheet();
}

void DevicesDialog::removeCurrent() {
    if (m_current.empty()) return revert();
    if (!m_library.isOwn(m_current)) return;
    const std::string id = m_current;
    const QString name = QString::fromStdString(m_library.find(id) ? m_library.find(id)->name : id);
    m_drafts.erase(id);
    if (m_library.remove(id))
        m_banner->showMessage(Banner::Kind::Notice, tr("%1 was deleted").arg(name), tr("Undo"),
                              [this] { m_library.stack().undo(); });
}

void DevicesDialog::select(const std::string& id) {
    m_filter->clear();
    m_current = id;
    fillList();
    showSheet();
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
