// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/device_figures.h"
#include "ui/workbench/device_library.h"

#include <QScrollArea>
#include <QString>

#include <optional>
#include <string>
#include <vector>

class QLabel;

namespace plumb::ui {

class FieldRow;
class Theme;

/// One data sheet: name, figures and source of a device, to read or to write.
class DeviceSheet final : public QScrollArea {
    Q_OBJECT
public:
    explicit DeviceSheet(Theme& theme, QWidget* parent = nullptr);

    /// Shows the device, and of it what was typed where something was: that is checked, too. `kind` says what
    /// sort of record it is.
    void showDevice(const Machine& machine, const DeviceTexts* typed, bool canEdit, const QString& kind);
    [[nodiscard]] DeviceTexts texts() const;
    /// `machine` with what stands in the fields. Empty when a field is wrong, or the whole beside `others`:
    /// then the fields say why and the first of them has the focus.
    [[nodiscard]] std::optional<Machine> read(Machine machine, const std::vector<Machine>& others);
    void focusName();

signals:
    void edited();

private:
    struct Row {
        std::string key;
        const DeviceFigure* figure = nullptr;  ///< null: name or source
        FieldRow* field = nullptr;
    };
    FieldRow& addRow(const std::string& key, const DeviceFigure* figure, const QString& label);
    [[nodiscard]] QLabel* addText(const char* name);
    static void check(const Row& row);
    [[nodiscard]] static Result<std::optional<double>> figureIn(const Row& row);
    static void showFigure(const Row& row, const QString& exact, const QString& brief);

    Theme& m_theme;
    std::vector<Row> m_rows;
    QLabel *m_kind = nullptr, *m_copies = nullptr, *m_hint = nullptr;
    bool m_filling = false;
};

}  // namespace plumb::ui
