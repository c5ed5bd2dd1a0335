// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"

#include <QPointer>
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
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
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

/// The card of one widget: made when it is first shown, in the window that the widget is in then.
class CardBeside {
public:
    /// Both outlive it.
    CardBeside(Theme& theme, QWidget& owner) : m_theme(theme), m_owner(owner) {}
    ~CardBeside() { delete m_card; }  // null when the window that held it went first
    CardBeside(const CardBeside&) = delete;
    CardBeside& operator=(const CardBeside&) = delete;

    /// Stands beside `at`, pixels of `surface`: the owner or a widget in it.
    void show(const HoverCardContent& content, const QWidget& surface, const QPointF& at);
    void hide();
    [[nodiscard]] const HoverCardContent* content() const;  ///< null while none is to be seen

private:
    Theme& m_theme;
    QWidget& m_owner;
    QPointer<HoverCard> m_card;
};

}  // namespace plumb::ui
