// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/step_chips.h"

#include "core/compare/comparison_report.h"
#include "ui/compare/compared_steps.h"
#include "ui/theme/text.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kChipWidth = 250;
constexpr int kChipLeast = 190;
constexpr int kChipText = 44;  // left of it stands the letter

/// Of a configuration its beginning tells more, of a file's name both ends.
Qt::TextElideMode elisionOf(const QString& label) {
    return label.contains(QStringLiteral(" · ")) ? Qt::ElideRight : Qt::ElideMiddle;
}

QString letterOf(std::size_t place) { return QString(QChar(u'A' + static_cast<char16_t>(place))); }

}  // namespace

StepChip::StepChip(Theme& theme, QWidget* parent)
    : QAbstractButton(parent),
      m_theme(theme),
      m_baseline(new QToolButton(this)),
      m_remove(new QToolButton(this)) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_baseline->setText(QStringLiteral("↤"));
    m_baseline->setToolTip(tr("Make it the baseline"));
    m_remove->setText(QStringLiteral("✕"));
    m_remove->setToolTip(tr("Take it out of the comparison"));
    for (QToolButton* button : {m_baseline, m_remove}) {
        button->setAutoRaise(true);
        button->setFixedSize(22, 22);
        button->setFocusPolicy(Qt::TabFocus);
    }
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 6, 0);
    layout->setSpacing(0);
    layout->addStretch(1);
    layout->addWidget(m_baseline);
    layout->addWidget(m_remove);
    connect(m_baseline, &QToolButton::clicked, this, &StepChip::baselineWanted);
    connect(m_remove, &QToolButton::clicked, this, &StepChip::removeWanted);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StepChip::show(std::size_t place, const QString& label, const QString& origin, bool isDetailed) {
    m_place = place;
    m_origin = place == 0 ? tr("baseline · %1").arg(origin) : origin;
    m_isDetailed = isDetailed;
    setText(label);
    setObjectName(QStringLiteral("compareChip%1").arg(place));
    m_baseline->setVisible(place > 0);
    m_baseline->setObjectName(QStringLiteral("compareBaseline%1").arg(place));
    m_baseline->setAccessibleName(tr("Make %1 the baseline").arg(label));
    m_remove->setObjectName(QStringLiteral("compareRemove%1").arg(place));
    m_remove->setAccessibleName(tr("Remove %1").arg(label));
    setAccessibleName(place == 0   ? tr("Baseline: %1, %2").arg(label, origin)
                      : isDetailed ? tr("Compared in detail: %1, %2").arg(label, origin)
                                   : tr("Compare in detail: %1, %2").arg(label, origin));
    setToolTip(QStringLiteral("%1\n%2").arg(label, m_origin));
    update();
}

QSize StepChip::sizeHint() const { return {kChipWidth, fontMetrics().height() * 2 + 16}; }

ColorRole StepChip::role() const {
    return m_place == 0 ? ColorRole::Baseline : m_isDetailed ? ColorRole::Compared : ColorRole::Ghost;
}

void StepChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = m_theme.color(role());
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isLit = underMouse() || isDown();
    painter.setPen(QPen(hasFocus() ? m_theme.color(ColorRole::Accent) : m_theme.color(ColorRole::CardBorder),
                        hasFocus() ? 1.5 : 1));
    painter.setBrush(m_theme.color(isLit && m_place > 0 ? ColorRole::Hover : ColorRole::Card));
    painter.drawRoundedRect(frame, 7, 7);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(0, 6, 3, height() - 12), 1.5, 1.5);
    const QRectF badge(12, height() / 2.0 - 11, 22, 22);
    painter.drawRoundedRect(badge, 5, 5);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(m_theme.color(ColorRole::Card));
    painter.drawText(badge, Qt::AlignCenter, letterOf(m_place));
    const int buttons = m_place == 0 ? 32 : 54;
    const QRect texts(kChipText, 8, width() - kChipText - buttons, height() - 16);
    painter.setPen(m_theme.color(ColorRole::TextStrong));
    painter.drawText(texts, Qt::AlignLeft | Qt::AlignTop,
                     QFontMetrics(strong).elidedText(text(), elisionOf(text()), texts.width()));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() - 1);
    painter.setFont(small);
    painter.setPen(m_theme.color(ColorRole::TextMuted));
    painter.drawText(texts, Qt::AlignLeft | Qt::AlignBottom,
                     QFontMetrics(small).elidedText(m_origin, Qt::ElideRight, texts.width()));
}

StepChips::StepChips(Theme& theme, ComparedSteps& steps, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_steps(steps),
      m_layout(new QGridLayout(this)),
      m_swap(new QToolButton(this)),
      m_add(new QPushButton(this)) {
    setObjectName(QStringLiteral("compareChips"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
    m_swap->setObjectName(QStringLiteral("compareSwap"));
    m_swap->setText(QStringLiteral("⇄"));
    m_swap->setToolTip(tr("Swap the baseline and the step in detail"));
    m_swap->setAccessibleName(m_swap->toolTip());
    m_add->setObjectName(QStringLiteral("compareAdd"));
    m_add->setText(tr("+ Add…"));
    m_add->setToolTip(tr("Add a file, or a step of this session"));
    m_add->setAccessibleName(m_add->toolTip());
    connect(m_swap, &QToolButton::clicked, &steps, &ComparedSteps::swap);
    connect(&steps, &ComparedSteps::changed, this, &StepChips::refresh);
    refresh();
}

void StepChips::refresh() {
    const std::vector<ComparedStep>& steps = m_steps.steps();
    while (m_chips.size() < steps.size()) {
        auto* chip = new StepChip(m_theme, this);
        const std::size_t place = m_chips.size();
        // Queued: the chip that was clicked may be gone when the steps have changed.
        connect(chip, &StepChip::clicked, this, [this, place] { m_steps.showInDetail(place); });
        connect(
            chip, &StepChip::removeWanted, this, [this, place] { m_steps.remove(place); },
            Qt::QueuedConnection);
        connect(
            chip, &StepChip::baselineWanted, this, [this, place] { m_steps.makeBaseline(place); },
            Qt::QueuedConnection);
        m_chips.push_back(chip);
    }
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        m_chips[i]->setVisible(i < steps.size());
        if (i < steps.size())
            m_chips[i]->show(i, toText(steps[i].label), coreText(originOf(steps[i])),
                             i == m_steps.detailed());
    }
    m_swap->setVisible(steps.size() >= 2);
    m_add->setEnabled(steps.size() < ComparedSteps::kMostSteps);
    arrange();
}

void StepChips::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

// The baseline, the swap, the others and the button that adds, in as many rows as they need.
void StepChips::arrange() {
    while (QLayoutItem* item = m_layout->takeAt(0)) delete item;
    const int inRow = std::max(1, (width() - 130) / (kChipLeast + 8));
    int row = 0, column = 0;
    // The window may give another size before refresh() knows of a step that came.
    const auto shown = static_cast<int>(std::min(m_steps.steps().size(), m_chips.size()));
    for (int i = 0; i < shown; ++i) {
        if (i > 0 && i % inRow == 0) {
            ++row;
            column = 0;
        }
        m_layout->addWidget(m_chips[static_cast<std::size_t>(i)], row, column++);
        if (i == 0) m_layout->addWidget(m_swap, 0, column++);
    }
    m_layout->addWidget(m_add, row, column++);
    for (int i = 0; i < m_layout->columnCount(); ++i) m_layout->setColumnStretch(i, 0);
    m_layout->setColumnStretch(2 * inRow + 8, 1);
}

}  // namespace plumb::ui
