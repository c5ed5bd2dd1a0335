// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/run_config.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <memory>
#include <string_view>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace plumb::ui {

/// Fields for the options that have no control of their own in the run panel, made from runOptions(): a new
/// option shows up by itself. Those that have no meaning in the configuration are hidden.
///
/// Children: "NAMEOption" (the editor) and "NAMEOptionError", with the names of the command line.
class OptionForm final : public QWidget {
    Q_OBJECT
public:
    explicit OptionForm(ViewContext context, QWidget* parent = nullptr);
    ~OptionForm() override;

    /// Copies the workbench's configuration to the fields; text that is being typed stays.
    void refresh();
    /// Takes what is typed and not yet entered; false while something that has a meaning cannot be used.
    [[nodiscard]] bool commit();
    /// Gives up what is typed in the field that is or holds `widget`; false when it is none of them.
    bool revert(const QObject* widget);
    /// How many of the shown options differ from their defaults.
    [[nodiscard]] int changedCount() const;

signals:
    /// `config` has the new value. A sentence that refuses it belongs into `error`, before the slot returns.
    void edited(const QString& label, const plumb::RunConfig& config, QLabel* error);

private:
    struct Row;
    struct Group;
    void addRow(const OptionInfo& info);
    void fill(Row& row, const RunConfig& config);
    /// Puts `text` into force or shows at the row why not.
    bool enter(Row& row, const QString& text);
    bool submit(Row& row);

    ViewContext m_context;
    QVBoxLayout* m_layout;
    std::vector<std::unique_ptr<Group>> m_groups;
    std::vector<std::unique_ptr<Row>> m_rows;
};

/// `config` with this option at the value that holds when nobody chooses one.
[[nodiscard]] RunConfig withDefault(RunConfig config, std::string_view option);

}  // namespace plumb::ui
