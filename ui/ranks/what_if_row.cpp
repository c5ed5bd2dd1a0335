// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/what_if_row.h"

#include "core/model/rank_choices.h"
#include "ui/engine/cpu_ranks.h"
#include "ui/theme/error_text.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/help_anchor.h"
#include "ui/widgets/note_label.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/slider_row.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/wrap_layout.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/option_titles.h"
#include "ui/workbench/workbench.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kSideMargin = 14, kTopMargin = 7;
constexpr int kBetweenParts = 18;

QPushButton* stepButton(const QString& sign, const char* name, const QString& tip, QWidget* parent) {
    auto* button = new QPushButton(sign, parent);
    button->setObjectName(QString::fromLatin1(name));
    button->setAccessibleName(tip);
    button->setToolTip(tip);
    button->setFixedWidth(scaled(30));
    button->setAutoRepeat(true);
    return button;
}

}  // namespace

WhatIfRow::WhatIfRow(ViewContext context, ConfigHistory& history, QWidget* parent)
    : QWidget(parent), m_context(context), m_history(history) {
    setObjectName(QStringLiteral("whatIfRow"));
    setAccessibleName(tr("What if there were another number of ranks"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kSideMargin, kTopMargin, kSideMargin, kTopMargin);
    column->setSpacing(4);
    auto* layout = new WrapLayout(nullptr, kBetweenParts);
    column->addLayout(layout);
    buildStepper(*layout);
    m_peak = addFigure(*layout, tr("peak of a rank, predicted"), "whatIfPeak",
                       tr("Most memory of the first rank, which has as much as any"));
    m_step = addFigure(*layout, tr("step"), "whatIfStep",
                       tr("Predicted time of a step; known for numbers of ranks that were calibrated"));
    m_sent = addFigure(*layout, tr("sent per rank"), "whatIfSent",
                       tr("Bytes that the first rank sends to others in a step"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    m_reset = new QPushButton(tr("Reset"), this);
    m_reset->setObjectName(QStringLiteral("whatIfReset"));
    m_reset->setToolTip(tr("Back to the number of ranks of the step"));
    m_apply = new QPushButton(tr("Apply"), this);
    m_apply->setObjectName(QStringLiteral("whatIfApply"));
    m_apply->setProperty(kPrimaryButton, true);
    m_apply->setToolTip(tr("Takes this number of ranks for the step; can be undone"));
    buttons->addWidget(m_reset);
    buttons->addWidget(m_apply);
    layout->addLayout(buttons);
    const auto addNote = [&](const char* name, ColorRole role) {
        auto* note = new NoteLabel(this);
        note->setObjectName(QString::fromLatin1(name));
        note->hide();
        followColor(note, context.theme, role);
        column->addWidget(note);
        return note;
    };
    m_note = addNote("whatIfNote", ColorRole::TextMuted);
    m_error = addNote("whatIfError", ColorRole::Bad);
    connect(m_reset, &QPushButton::clicked, this, &WhatIfRow::reset);
    connect(m_apply, &QPushButton::clicked, this, &WhatIfRow::apply);
    connect(&context.theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    m_config = context.workbench.config();
    reset();
}

void WhatIfRow::buildStepper(WrapLayout& layout) {
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    auto* title = new ToneLabel(m_context.theme, ColorRole::TextStrong, this);
    title->setStrong();
    title->setText(tr("What if"));
    auto* axis = new ToneLabel(m_context.theme, ColorRole::TextMuted, this);
    axis->setText(tr("data"));
    m_fewer = stepButton(QStringLiteral("−"), "whatIfFewer", tr("Fewer ranks"), this);
    m_field = new SizeField(this);
    m_field->setObjectName(QStringLiteral("whatIfRanks"));
    m_field->setAccessibleName(tr("Data-parallel ranks to ask about"));
    m_field->setToolTip(withHelpHint(
        tr("Ranks that share the samples of a batch; the buttons go on to the next number that divides it. "
           "Enter asks for a number, Enter once more takes it")));
    m_field->setAlignment(Qt::AlignCenter);
    m_field->setFixedWidth(scaled(58));
    m_more = stepButton(QStringLiteral("+"), "whatIfMore", tr("More ranks"), this);
    m_all = new ToneLabel(m_context.theme, ColorRole::TextMuted, this);
    m_all->setObjectName(QStringLiteral("whatIfAll"));
    row->addWidget(title);
    row->addSpacing(8);
    for (QWidget* part :
         {static_cast<QWidget*>(axis), static_cast<QWidget*>(m_fewer), static_cast<QWidget*>(m_field),
          static_cast<QWidget*>(m_more), static_cast<QWidget*>(m_all)})
        row->addWidget(part);
    row->addStretch(1);
    layout.addLayout(row);
    connect(m_fewer, &QPushButton::clicked, this, [this] { step(-1); });
    connect(m_more, &QPushButton::clicked, this, [this] { step(1); });
    connect(m_field, &SizeField::valueEntered, this, &WhatIfRow::ask);
    // Enter asks, and where nothing was typed since, takes what was asked.
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        if (!m_field->isModified()) apply();
    });
    connect(m_field, &SizeField::rejected, this, [this](const QString& sentence) {
        m_refused = sentence;
        show();
    });
}

WhatIfRow::Figure WhatIfRow::addFigure(WrapLayout& layout, const QString& title, const char* name,
                                       const QString& toolTip) {
    Figure figure;
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    figure.title = new ToneLabel(m_context.theme, ColorRole::TextMuted, this);
    figure.title->setText(title);
    QFont small = figure.title->font();
    small.setPointSizeF(small.pointSizeF() - 1);
    figure.title->setFont(small);
    figure.title->setToolTip(withHelpHint(toolTip));
    column->addWidget(figure.title);
    auto* row = new QHBoxLayout;
    row->setSpacing(5);
    const auto part = [&](const char* ending, ColorRole role) {
        auto* label = new ToneLabel(m_context.theme, role, this);
        label->setObjectName(QString::fromLatin1(name) + QLatin1String(ending));
        label->setToolTip(withHelpHint(toolTip));
        row->addWidget(label);
        return label;
    };
    figure.now = part("Now", ColorRole::TextMuted);
    figure.then = part("Then", ColorRole::Accent);
    figure.then->setStrong();
    figure.change = part("Change", ColorRole::TextMuted);
    row->addStretch(1);
    column->addLayout(row);
    layout.addLayout(column);
    return figure;
}

bool WhatIfRow::isOther() const { return m_ranks != m_context.workbench.config().parallel.data; }

std::int64_t WhatIfRow::ranksOfAll() const { return m_ranks * m_context.workbench.config().parallel.tensor; }

void WhatIfRow::reset() { ask(m_context.workbench.config().parallel.data); }

// What is measured meanwhile is no reason to forget what was asked.
void WhatIfRow::follow() {
    if (m_config == m_context.workbench.config()) return ask(m_ranks);
    m_config = m_context.workbench.config();
    reset();
}

void WhatIfRow::ask(std::int64_t ranks) {
    m_ranks = std::clamp<std::int64_t>(ranks, 1, kMostRanks);
    m_planned.reset();
    m_refused.clear();
    if (isOther()) {
        const PlannedStep& now = m_context.workbench.session()->whatIf;
        Result<PlannedStep> planned = planOn(withRanks(now.config(), ranksOfAll()), now.target);
        if (planned.has_value())
            m_planned = std::move(*planned);
        else
            m_refused = settingSentence(planned.error());
    }
    show();
}

void WhatIfRow::step(int by) {
    const std::vector<std::int64_t> counts = rankCounts(m_context.workbench.config());
    const auto at = std::ranges::lower_bound(counts, m_ranks);
    if (by > 0) {
        const auto next = std::ranges::upper_bound(counts, m_ranks);
        if (next != counts.end()) ask(*next);
    } else if (at != counts.begin()) {
        ask(*std::prev(at));
    }
}

void WhatIfRow::apply() {
    if (!m_field->commit() || !isOther()) return;
    const Result<void> changed = takeRanks(m_context.workbench.config(), m_history, ranksOfAll());
    if (changed.has_value()) return follow();
    m_refused = settingSentence(changed.error());
    show();
}

void WhatIfRow::showFigure(const Figure& figure, std::optional<double> now, std::optional<double> then,
                           const char* unit) const {
    const auto text = [unit](const std::optional<double>& value) {
        return value ? quantityText(*value, unit) : QStringLiteral("–");
    };
    const bool asks = isOther() && m_refused.isEmpty();
    figure.now->setText(asks ? text(now) + QStringLiteral(" →") : text(now));
    figure.now->setTone(asks ? ColorRole::TextMuted : ColorRole::Text);
    figure.then->setText(asks ? text(then) : QString());
    figure.change->setText(asks && now && then && *now > 0 ? relativeText(*then / *now - 1) : QString());
    figure.then->setVisible(asks);
    figure.change->setVisible(!figure.change->text().isEmpty());
}

void WhatIfRow::show() {
    const PlannedStep& now = m_context.workbench.session()->whatIf;
    const PlannedStep& then = m_planned ? *m_planned : now;
    m_field->showValue(m_ranks);
    const std::vector<std::int64_t> counts = rankCounts(now.config());
    m_fewer->setEnabled(m_ranks > counts.front());
    m_more->setEnabled(m_ranks < counts.back());
    const std::int64_t all = ranksOfAll();
    m_all->setText(all == 1 ? tr("= 1 rank") : tr("= %1 ranks").arg(countText(all)));
    const auto number = [](std::int64_t value) { return std::optional(static_cast<double>(value)); };
    showFigure(m_peak, number(now.prediction->memory.peakBytes), number(then.prediction->memory.peakBytes),
               "B");
    showFigure(m_step, now.prediction->totals.seconds, then.prediction->totals.seconds, "s");
    showFigure(m_sent, number(now.step->wireBytes), number(then.step->wireBytes), "B");
    if (const auto memory = now.machine().memoryBytes; memory && m_planned) {
        const Bytes share = *memory / then.step->ranksOfMachine;
        const bool fits = then.prediction->memory.peakBytes <= share;
        m_peak.then->setTone(fits ? ColorRole::Accent : ColorRole::Bad);
        m_peak.then->setToolTip(
            fits ? tr("Fits into the %1 that a rank would have").arg(bytesText(share))
                 : tr("Does not fit into the %1 that a rank would have").arg(bytesText(share)));
    }
    const QString noTime = m_planned && !then.prediction->totals.seconds
                               ? sentenceText(coreText(notPredicted(then.config(), then.target)))
                               : QString();
    m_note->setText(noTime);
    m_note->setVisible(!noTime.isEmpty());
    m_error->setText(m_refused);
    m_error->setVisible(!m_refused.isEmpty());
    m_reset->setEnabled(isOther() || !m_refused.isEmpty());
    m_apply->setEnabled(isOther() && m_refused.isEmpty());
    updateGeometry();
}

int WhatIfRow::heightForWidth(int width) const { return layout()->totalHeightForWidth(width); }
QSize WhatIfRow::sizeHint() const { return layout()->sizeHint(); }
QSize WhatIfRow::minimumSizeHint() const { return layout()->minimumSize(); }

void WhatIfRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_context.theme.color(ColorRole::CardBorder));
    painter.setBrush(m_context.theme.color(ColorRole::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

}  // namespace plumb::ui
