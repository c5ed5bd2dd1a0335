// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"

#include <QWidget>

#include <vector>

namespace plumb::ui {

class LegendButton;

/// The entries below a chart, in as many rows as the width asks for. Checkable entries are real buttons: a
/// click or Space hides or shows one; Ctrl and a click, a double click or Enter shows one alone among those
/// of its group, and once more all of them.
class LegendRow final : public QWidget {
    Q_OBJECT
public:
    explicit LegendRow(Theme& theme, QWidget* parent = nullptr);

    void setEntries(const QVector<LegendEntry>& entries);
    [[nodiscard]] const QVector<LegendEntry>& entries() const { return m_entries; }
    /// Space left of the first entry, so that it stands under the plot.
    void setIndent(int pixels);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void toggled(const QString& id, bool checked);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void isolate(const QString& id);
    int arrange(int width, bool move) const;

    Theme& m_theme;
    QVector<LegendEntry> m_entries;
    std::vector<LegendButton*> m_buttons;
    int m_indent = 0;
};

}  // namespace plumb::ui
