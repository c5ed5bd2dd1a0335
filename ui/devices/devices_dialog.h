// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/device_figures.h"
#include "ui/workbench/device_library.h"

#include <QDialog>

#include <map>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPushButton;
class QVBoxLayout;

namespace plumb::ui {

class Banner;
class FieldRow;
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
    struct Draft {
        Machine base;                          ///< what is edited; without id when it is new
        std::map<std::string, QString> texts;  ///< by key of the row
    };
    struct Row {
        std::string key;
        const DeviceFigure* figure = nullptr;  ///< null: name or source
        FieldRow* field = nullptr;
    };
    void buildList();
    void buildForm();
    void buildButtons(QVBoxLayout& layout);
    QPushButton* addButton(const QString& text, const char* name, const QString& tip);
    void fillList();
    void showSheet();
    void keepDraft();
    void checkRow(const Row& row);
    void beginDraft(Machine base);
    void save();
    void revert();
    void removeCurrent();
    void askImport();
    void askExport();
    void updateButtons();
    [[nodiscard]] const Machine* shown() const;
    [[nodiscard]] bool editable() const;
    [[nodiscard]] QString textOf(const Machine& machine, const Row& row) const;
    [[nodiscard]] std::vector<Machine> others() const;

    Theme& m_theme;
    DeviceLibrary& m_library;
    std::string m_current;  ///< empty: the new one
    std::map<std::string, Draft> m_drafts;
    std::vector<Row> m_rows;
    Banner* m_banner = nullptr;
    QLineEdit* m_filter = nullptr;
    QListWidget* m_list = nullptr;
    QWidget* m_form = nullptr;
    QLabel *m_kind = nullptr, *m_hint = nullptr;
    QPushButton *m_new = nullptr, *m_duplicate = nullptr, *m_delete = nullptr, *m_import = nullptr,
                *m_export = nullptr, *m_undo = nullptr, *m_redo = nullptr, *m_save = nullptr,
                *m_revert = nullptr;
    bool m_filling = false;
};

}  // namespace plumb::ui
