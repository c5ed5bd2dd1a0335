// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/devices/device_sheet.h"
#include "ui/workbench/device_library.h"

#include <QDialog>

#include <string>
#include <vector>

class QLayout;
class QPushButton;

namespace plumb::ui {

class Banner;
class DeviceList;
class Theme;

/// All data sheets: this machine and the built-in ones to read, the user's own to add, copy, edit, import,
/// export and delete. What is typed and not yet saved stays while another one is looked at.
class DevicesDialog final : public QDialog {
    Q_OBJECT
public:
    DevicesDialog(Theme& theme, DeviceLibrary& library, QWidget* parent = nullptr);
    ~DevicesDialog() override;

    void select(const std::string& id);
    void importFile(const QString& path);
    void exportFile(const QString& path);

signals:
    void chosen(const std::string& id);  ///< double click or Enter on a device

private:
    [[nodiscard]] QLayout* makeListButtons();
    [[nodiscard]] QLayout* makeSheetButtons();
    [[nodiscard]] QPushButton* makeButton(const QString& text, const char* name, const QString& tip);
    void refresh();
    void showDevice(const std::string& id);
    void showSheet();
    void keepDraft();
    void beginDraft(Machine base);
    void save();
    void revert();
    void removeCurrent();
    void askImport();
    void askExport();
    void updateButtons();
    [[nodiscard]] const std::string& current() const;  ///< empty: the new one
    [[nodiscard]] const Machine* shown() const;
    [[nodiscard]] bool editable() const;

    DeviceLibrary& m_library;
    Banner* m_banner = nullptr;
    DeviceList* m_list = nullptr;
    DeviceSheet* m_sheet = nullptr;
    QPushButton *m_new = nullptr, *m_duplicate = nullptr, *m_delete = nullptr, *m_import = nullptr,
                *m_export = nullptr, *m_undo = nullptr, *m_redo = nullptr, *m_save = nullptr,
                *m_revert = nullptr;
};

}  // namespace plumb::ui
