// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"

#include <QWidget>

namespace plumb::ui {

/// The small table beside the pointer. Lives in the window of the chart, so that it may reach out of the
/// card; never takes the mouse or the focus.
class HoverCard final : public QWidget {
    Q_OBJECT
public:
    explicit HoverCard(Theme& theme, QWidget* parent = nullptr);

    void setContent(const HoverCardContent& content);
    [[nodiscard]] const HoverCardContent& content() const { return m_content; }
    /// Stands beside `at` (pixels of the parent), inside the parent.
    void showAt(const QPoint& at);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Columns {
        qreal name = 0;
        QVector<qreal> values;
        qreal total = 0;
    };
    [[nodiscard]] Columns columns() const;
    [[nodiscard]] QFont strongFont() const;
    [[nodiscard]] QStringList footerLines() const;

    Theme& m_theme;
    HoverCardContent m_content;
};

}  // namespace plumb::ui
