// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.h"

#include "ui/theme/house_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/in_sight.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>

#include <utility>

namespace plumb::ui {
namespace {
constexpr int kNoticeMs = 8000;
}

Banner::Banner(Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_text(new QLabel(this)),
      m_button(new QPushButton(this)),
      m_timer(new QTimer(this)) {
    setObjectName(QStringLiteral("banner"));
    m_text->setObjectName(QStringLiteral("bannerText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_button->setObjectName(QStringLiteral("bannerButton"));
    auto* close = new QPushButton(QStringLiteral("✕"), this);
    close->setObjectName(QStringLiteral("bannerClose"));
    close->setAccessibleName(tr("Close the message"));
    close->setProperty(kQuietButton, true);
    close->setFixedSize(26, 26);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(18, 6, 8, 6);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    layout->addWidget(close);
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &QWidget::hide);
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_button, &QPushButton::clicked, this, [this] {
        hide();
        if (const auto action = std::exchange(m_action, {})) action();
    });
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void Banner::showMessage(Kind kind, const QString& text, const QString& button, std::function<void()> action,
                         MessageSubject about) {
    m_kind = kind;
    m_about = about;
    ++m_count;
    m_text->setText(text);
    offer(button, std::move(action));
    setAccessibleName(text);
    if (kind == Kind::Notice)
        m_timer->start(kNoticeMs);
    else
        m_timer->stop();
    if (isHidden()) keepFocusInSight(*window());
    show();
    update();
}

void Banner::offer(const QString& button, std::function<void()> action) {
    m_action = std::move(action);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
}

void Banner::end(MessageSubject about) {
    if (about == m_about && m_kind != Kind::Ongoing) hide();
}

void Banner::setOngoingText(const QString& text) {
    if (m_kind != Kind::Ongoing) return;
    m_text->setText(text);
    setAccessibleName(text);
}

void Banner::endOngoing() {
    if (m_kind == Kind::Ongoing) hide();
}

QString Banner::text() const { return m_text->text(); }

void Banner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor kind = m_theme.color(m_kind == Kind::Error ? ColorRole::Bad : ColorRole::Accent);
    painter.setPen(kind);
    painter.setBrush(m_theme.color(ColorRole::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(kind);
    painter.drawRoundedRect(QRectF(5, 6, 4, height() - 12), 2, 2);
}

}  // namespace plumb::ui
