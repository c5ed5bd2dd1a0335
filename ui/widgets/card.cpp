// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/workbench/tab_order.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

namespace {
constexpr qreal kRadius = 8;
constexpr int kSide = 16;
constexpr int kLeastTitle = 110;  // in more lines it needs no more

QPalette withText(const QPalette& base, const QColor& color) {
    QPalette palette = base;
    palette.setColor(QPalette::WindowText, color);
    palette.setColor(QPalette::Text, color);
    palette.setColor(QPalette::ButtonText, color);
    return palette;
}
}  // namespace

Card::Card(Theme& theme, const QString& title, QWidget* parent)
    : QFrame(parent),
      m_theme(theme),
      m_header(new QWidget(this)),
      m_headerLayout(new QHBoxLayout(m_header)),
      m_layout(new QVBoxLayout(this)),
      m_title(new QLabel(m_header)),
      m_subtitle(new QLabel(m_header)),
      m_below(new QLabel(this)),
      m_open(new QToolButton(m_header)) {
    setFrameShape(QFrame::NoFrame);
    m_title->setObjectName(QStringLiteral("cardTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_subtitle->setObjectName(QStringLiteral("cardSubtitle"));
    m_subtitle->setTextFormat(Qt::PlainText);
    m_subtitle->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    // The text is fitted to the width that it gets, so it must not ask for one.
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_below->setObjectName(QStringLiteral("cardSubtitleBelow"));
    m_below->setTextFormat(Qt::PlainText);
    m_below->setWordWrap(true);
    m_below->setContentsMargins(kSide, 2, kSide, 0);
    m_below->hide();
    m_open->setObjectName(QStringLiteral("cardOpen"));
    m_open->setText(QStringLiteral("›"));
    m_open->setAutoRaise(true);
    m_open->setFixedSize(22, 22);
    m_open->setCursor(Qt::PointingHandCursor);
    m_open->hide();

    m_headerLayout->setContentsMargins(kSide, 10, kSide, 0);
    m_headerLayout->setSpacing(8);
    m_headerLayout->addWidget(m_title);
    m_headerLayout->addWidget(m_subtitle, 1);
    m_headerLayout->addWidget(m_open);
    m_header->installEventFilter(this);
    m_header->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);  // lines of a long title

    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_header);
    m_layout->addWidget(m_below);

    connect(m_open, &QToolButton::clicked, this, &Card::openRequested);
    connect(&m_theme, &Theme::changed, this, &Card::restyle);
    setTitle(title);
    restyle();
}

void Card::setTitle(const QString& title) {
    m_title->setText(title);
    fitTitle();
    setAccessibleName(title);
    m_open->setToolTip(tr("Open %1").arg(title));
    m_open->setAccessibleName(m_open->toolTip());
}

QString Card::title() const { return m_title->text(); }

void Card::setSubtitle(const QString& text, const QString& toolTip) {
    if (text == m_subtitleText && toolTip == m_subtitleToolTip) return;
    m_subtitleText = text;
    m_subtitleToolTip = toolTip;
    m_subtitle->setAccessibleName(text);
    fitSubtitle();
}

void Card::setContent(QWidget* content) {
    if (content == m_content) return;
    delete m_content;
    m_content = content;
    if (m_content) m_layout->addWidget(m_content, 1);
}

void Card::setContentMargins(int left, int top, int right, int bottom) {
    m_layout->setContentsMargins(left, 0, right, bottom);
    m_layout->setSpacing(top);
    // The header keeps its own distance from the edge whatever the content wants.
    m_headerLayout->setContentsMargins(kSide - left, 10, kSide - right, 0);
    m_below->setContentsMargins(kSide - left, 2, kSide - right, 0);
}

void Card::addHeaderWidget(QWidget* widget) {
    m_headerLayout->insertWidget(m_headerLayout->indexOf(m_open), widget);
    m_lastOfHeader = setTabOrderOfAll(m_lastOfHeader != nullptr ? m_lastOfHeader.data() : m_header, *widget);
    fitSubtitle();
}

QPushButton* Card::addHeaderButton(const QString& text, const QString& name, const QString& toolTip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setProperty(kQuietButton, true);
    button->setToolTip(toolTip);
    addHeaderWidget(button);
    return button;
}

void Card::setOpenable(bool openable) {
    m_openable = openable;
    m_open->setVisible(openable);
    fitSubtitle();
}

void Card::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(ColorRole::CardBorder), 1));
    painter.setBrush(m_theme.color(ColorRole::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

void Card::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fitSubtitle();
}

bool Card::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_header && event->type() == QEvent::MouseButtonDblClick && m_openable) {
        emit openRequested();
        return true;
    }
    // The label's width is final only after the header was laid out.
    if (watched == m_header && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        fitSubtitle();
    return QFrame::eventFilter(watched, event);
}

void Card::restyle() {
    QFont titleFont = font();
    titleFont.setWeight(QFont::DemiBold);
    m_title->setFont(titleFont);
    m_title->setPalette(withText(palette(), m_theme.color(ColorRole::TextStrong)));
    for (QLabel* each : {m_subtitle, m_below})
        each->setPalette(withText(palette(), m_theme.color(ColorRole::TextMuted)));
    m_open->setPalette(withText(palette(), m_theme.color(ColorRole::TextMuted)));
    update();
}

// As many of the parts between dots as have room, the first ones; none where the first has none.
QString Card::shortened(int room) const {
    static const QString kDot = QStringLiteral(" · ");
    QString shown = m_subtitleText;
    while (m_subtitle->fontMetrics().horizontalAdvance(shown) > room) {
        const qsizetype last = shown.lastIndexOf(kDot);
        if (last < 0) return {};
        shown.truncate(last);
    }
    return shown;
}

// A title that has no room beside the buttons takes another line: it is read, and what it stands above is not
// made wider for it.
void Card::fitTitle() {
    const QMargins margins = m_headerLayout->contentsMargins();
    int room = m_header->width() - margins.left() - margins.right();
    for (int i = 0; i < m_headerLayout->count(); ++i) {
        const QLayoutItem* const item = m_headerLayout->itemAt(i);
        if (item->isEmpty() || item->widget() == m_title || item->widget() == m_subtitle) continue;
        room -= item->sizeHint().width() + m_headerLayout->spacing();
    }
    const int wanted = m_title->fontMetrics().horizontalAdvance(m_title->text());
    m_title->setMinimumWidth(std::min(wanted, scaled(kLeastTitle)));
    const bool isWrapped = wanted > room;
    if (isWrapped == m_title->wordWrap()) return;
    m_title->setWordWrap(isWrapped);
    m_headerLayout->setStretchFactor(m_title, isWrapped ? 1 : 0);
    m_headerLayout->setStretchFactor(m_subtitle, isWrapped ? 0 : 1);
}

void Card::fitSubtitle() {
    fitTitle();
    m_headerLayout->activate();
    const QString shown = shortened(m_subtitle->width());
    const bool isWhole = shown == m_subtitleText;
    const bool isBelow = !isWhole && !m_openable;
    m_subtitle->setText(isBelow ? QString() : shown);
    m_below->setText(isBelow ? m_subtitleText : QString());
    m_below->setVisible(isBelow);
    m_below->setToolTip(m_subtitleToolTip);
    m_subtitle->setToolTip(m_subtitleToolTip.isEmpty() && !isWhole && !isBelow ? m_subtitleText
                                                                               : m_subtitleToolTip);
}

}  // namespace plumb::ui
