// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_answer.h"

#include "core/base/entry_at.h"
#include "core/planner/formula.h"
#include "ui/planner/planner_text.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/slider_row.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/wrap_layout.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

/// All digits of a count, else twelve.
QString exactText(double value) {
    constexpr double kMost = 1e15;
    return value == std::floor(value) && std::fabs(value) < kMost
               ? countText(static_cast<std::int64_t>(value))
               : numberText(value, 'g', 12);
}

using planner::Input;

constexpr int kMostFigures = 6;

QString termsText(const planner::Answer& answer) {
    QStringList lines;
    for (const planner::Term& term : answer.explanation.terms)
        lines << QStringLiteral("%1  %2: %3 (%4)")
                     .arg(symbolText(answer.explanation, term), coreText(term.label),
                          term.input ? inputText(*term.input, term.value)
                                     : grouped(planner::formatValue(term.value, term.unit)),
                          coreText(term.source));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

PlannerAnswer::PlannerAnswer(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_model(model), m_edits(edits) {
    setObjectName(QStringLiteral("plannerAnswer"));
    m_card = new Card(theme, {}, this);
    m_card->setObjectName(QStringLiteral("plannerAnswerCard"));
    m_card->setContentMargins(16, 2, 16, 12);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_card);
    connect(m_card->addHeaderButton(tr("Copy"), QStringLiteral("plannerCopyText"),
                                    tr("Copies the answer, its formula and its numbers as text")),
            &QPushButton::clicked, this, &PlannerAnswer::copyText);
    connect(m_card->addHeaderButton(tr("Copy JSON"), QStringLiteral("plannerCopyJson"),
                                    tr("Copies the answer and every number behind it as JSON")),
            &QPushButton::clicked, this, &PlannerAnswer::copyJson);

    auto* content = new QWidget(m_card);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(5);
    m_value = addLabel("plannerValue", ColorRole::TextStrong);
    QFont large = m_value->font();
    large.setPointSizeF(large.pointSizeF() * 2.5);
    large.setWeight(QFont::DemiBold);
    m_value->setFont(large);
    m_value->setWordWrap(false);
    m_range = addLabel("plannerRange", ColorRole::TextMuted);
    auto* top = new QHBoxLayout;
    top->setSpacing(14);
    top->addWidget(m_value);
    top->addWidget(m_range, 1, Qt::AlignBottom);
    layout->addLayout(top);
    m_verdict = new ToneLabel(m_theme, ColorRole::Good, this);
    m_verdict->setObjectName(QStringLiteral("plannerVerdict"));
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setWordWrap(true);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_verdict);
    m_problem = addLabel("plannerProblem", ColorRole::Bad);
    layout->addWidget(m_problem);
    m_figures = new QWidget(content);
    m_figureGrid = new QGridLayout(m_figures);
    m_figureGrid->setContentsMargins(0, 2, 0, 4);
    m_figureGrid->setHorizontalSpacing(22);
    m_figureGrid->setVerticalSpacing(0);
    // They go into as many lines as it takes, instead of asking for a width.
    m_figures->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    for (int i = 0; i < kMostFigures; ++i) {
        auto* label = addLabel("plannerFigureLabel", ColorRole::TextMuted);
        auto* value = addLabel("plannerFigureValue", ColorRole::TextStrong);
        QFont small = label->font();
        small.setPointSizeF(small.pointSizeF() - 1);
        label->setFont(small);
        label->setWordWrap(false);
        value->setWordWrap(false);
        QFont strong = value->font();
        strong.setWeight(QFont::DemiBold);
        value->setFont(strong);
        m_figureLabels.emplace_back(label, value);
    }
    m_figures->installEventFilter(this);
    layout->addWidget(m_figures);
    m_formula = addLabel("plannerFormula", ColorRole::Text);
    m_numbers = addLabel("plannerNumbers", ColorRole::TextMuted);
    m_notes = addLabel("plannerNotes", ColorRole::TextMuted);
    layout->addWidget(m_formula);
    layout->addWidget(m_numbers);
    layout->addWidget(m_notes);
    buildSolve(*layout);
    m_card->setContent(content);
}

QLabel* PlannerAnswer::addLabel(const char* name, ColorRole role) {
    auto* label = new QLabel(this);
    label->setObjectName(QString::fromLatin1(name));
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    followColor(label, m_theme, role);
    return label;
}

void PlannerAnswer::buildSolve(QVBoxLayout& layout) {
    m_solveRow = new QWidget(this);
    auto* row = new WrapLayout(m_solveRow);
    row->setContentsMargins(0, 4, 0, 0);
    const auto phrase = [&](const QString& text) {
        auto* words = new QHBoxLayout;
        words->setSpacing(8);
        auto* label = new QLabel(text, m_solveRow);
        followColor(label, m_theme, ColorRole::TextMuted);
        words->addWidget(label);
        row->addLayout(words);
        return words;
    };
    QHBoxLayout* const unknown = phrase(tr("Solve for"));
    m_unknown = new QComboBox(m_solveRow);
    m_unknown->setObjectName(QStringLiteral("plannerUnknown"));
    m_unknown->setAccessibleName(tr("Unknown to solve for"));
    m_unknown->setMinimumContentsLength(14);
    m_unknown->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    unknown->addWidget(m_unknown);
    QHBoxLayout* const wanted = phrase(tr("so that it is"));
    m_target = new QLineEdit(m_solveRow);
    m_target->setObjectName(QStringLiteral("plannerTarget"));
    m_target->setAccessibleName(tr("Wanted answer"));
    m_target->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_target->setFixedWidth(scaled(90));
    m_target->setMaxLength(60);
    wanted->addWidget(m_target);
    m_solve = new QPushButton(tr("Solve"), m_solveRow);
    m_solve->setObjectName(QStringLiteral("plannerSolve"));
    m_solve->setToolTip(tr("Changes the chosen input until the answer is what you want"));
    wanted->addWidget(m_solve);
    m_solved = addLabel("plannerSolved", ColorRole::TextMuted);
    m_solved->hide();
    layout.addWidget(m_solveRow);
    layout.addWidget(m_solved);
    // What it says is of the inputs as they were then: another change, or an undo, ends it.
    const auto forget = [this] {
        m_solved->clear();
        m_solved->hide();
    };
    connect(&m_model, &PlannerModel::inputsSet, m_solved, forget);
    // So does another wanted value, be it typed or brought back by an undo in the field.
    connect(m_target, &QLineEdit::textChanged, m_solved, forget);
    connect(m_solve, &QPushButton::clicked, this, &PlannerAnswer::solve);
    connect(m_target, &QLineEdit::returnPressed, this, &PlannerAnswer::solve);
    connect(m_target, &QLineEdit::textEdited, this,
            [this] { m_solve->setEnabled(!m_target->text().trimmed().isEmpty()); });
}

void PlannerAnswer::fillUnknowns() {
    std::vector<Input> unknowns;
    if (m_model.inputs().scenario.model.count() && m_model.question().output != planner::Output::LargestModel)
        unknowns.push_back(Input::Parameters);
    for (const Input input : m_model.question().choices) unknowns.push_back(input);
    for (const Input input : m_model.results().numbers) unknowns.push_back(input);
    const QVariant chosen = m_unknown->currentData();
    m_unknown->clear();
    for (const Input input : unknowns)
        m_unknown->addItem(coreText(planner::labelOf(input, m_model.inputs().scenario.model)),
                           static_cast<int>(input));
    const bool same = m_question == m_model.inputs().question;
    int index = same ? m_unknown->findData(chosen) : -1;
    if (index < 0) index = m_unknown->findData(static_cast<int>(Input::Devices));
    m_unknown->setCurrentIndex(std::max(0, index));
    if (!same) {
        m_target->clear();
        m_solved->clear();
        m_solved->hide();
        m_solve->setEnabled(false);
    }
    m_question = m_model.inputs().question;
}

void PlannerAnswer::showFigures() {
    const auto& figures = m_model.results().figures;
    for (std::size_t i = 0; i < m_figureLabels.size(); ++i) {
        const auto& [label, value] = m_figureLabels[i];
        const bool used = i < figures.size();
        label->setVisible(used);
        value->setVisible(used);
        if (!used) continue;
        const planner::OutputInfo& info = planner::info(figures[i].first);
        label->setText(capitalised(coreText(info.label)));
        value->setText(figures[i].second);
        value->setToolTip(capitalised(coreText(info.help)));
        label->setToolTip(capitalised(coreText(info.help)));
    }
    m_figures->setVisible(!figures.empty());
    m_figureColumns = 0;
    arrangeFigures();
}

/// As many beside each other as there is room for.
void PlannerAnswer::arrangeFigures() {
    const int count =
        std::min(static_cast<int>(m_model.results().figures.size()), static_cast<int>(m_figureLabels.size()));
    if (count == 0) return;
    const int room = m_figures->width();
    int columns = count;
    const auto widthOf = [&](int wide) {
        int sum = 0;
        for (int column = 0; column < wide; ++column) {
            int widest = 0;
            for (int i = column; i < count; i += wide) {
                const auto& [label, value] = entryAt(m_figureLabels, i);
                widest = std::max({widest, label->sizeHint().width(), value->sizeHint().width()});
            }
            sum += widest + (column > 0 ? m_figureGrid->horizontalSpacing() : 0);
        }
        return sum;
    };
    while (columns > 1 && widthOf(columns) > room) --columns;
    if (columns == m_figureColumns) return;
    m_figureColumns = columns;
    for (int i = 0; i < static_cast<int>(m_figureLabels.size()); ++i) {
        const auto& [label, value] = entryAt(m_figureLabels, i);
        m_figureGrid->addWidget(label, 2 * (i / columns), i % columns);
        m_figureGrid->addWidget(value, 2 * (i / columns) + 1, i % columns);
    }
    for (int i = 0; i <= kMostFigures; ++i) m_figureGrid->setColumnStretch(i, i == columns ? 1 : 0);
}

bool PlannerAnswer::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_figures && event->type() == QEvent::Resize) arrangeFigures();
    return QWidget::eventFilter(watched, event);
}

void PlannerAnswer::refresh() {
    const PlannerQuestion& question = m_model.question();
    const PlannerResults& results = m_model.results();
    const planner::OutputInfo& info = planner::info(question.output);
    m_card->setTitle(question.title);
    m_card->setSubtitle(modelText(m_model.inputs().scenario.model));
    const bool has = results.answer.has_value();
    m_value->setVisible(has);
    m_range->setVisible(has);
    m_formula->setVisible(has);
    m_numbers->setVisible(has);
    m_problem->setVisible(!has);
    m_problem->setText(results.problem);
    QStringList notes;
    if (has) {
        const planner::Answer& answer = *results.answer;
        const auto shown = [&](double value) { return grouped(planner::formatOutput(answer.output, value)); };
        m_value->setText(shown(answer.value.expected));
        m_value->setToolTip(capitalised(coreText(info.help)) + QLatin1Char('\n') +
                            exactText(answer.value.expected) + QLatin1Char(' ') + toText(info.unit));
        m_value->setAccessibleName(capitalised(coreText(info.label)) + QLatin1Char(' ') + m_value->text());
        const QString label = results.lacksMemoryFor(answer.output)
                                  ? tr("%1, does not fit").arg(coreText(info.label))
                                  : coreText(info.label);
        m_range->setText(
            answer.value.low == answer.value.high
                ? label
                : tr("%1\nfrom %2 to %3").arg(label, shown(answer.value.low), shown(answer.value.high)));
        m_range->setToolTip(
            tr("Every assumption at its favourable end, and every one at its unfavourable end"));
        m_formula->setText(coreText(info.label) + QStringLiteral(" = ") +
                           coreText(answer.explanation.formula));
        m_numbers->setText(coreText(answer.explanation.withNumbers));
        m_formula->setToolTip(termsText(answer));
        m_numbers->setToolTip(termsText(answer));
        for (const auto& said : {answer.notes, results.judgement})
            for (const std::string& note : said) notes << sentenceText(coreText(note));
    }
    m_verdict->setVisible(has && (results.verdict || !results.verdictProblem.isEmpty()));
    if (!results.verdictProblem.isEmpty())
        m_verdict->showText(tr("Cannot run so: %1").arg(results.verdictProblem), ColorRole::Bad);
    if (results.verdict)
        m_verdict->showText(capitalised(coreText(planner::verdictText(*results.verdict))),
                            results.verdict->fits() ? ColorRole::Good : ColorRole::Bad);
    if (has && !results.conventions.isEmpty()) notes << sentenceText(results.conventions);
    m_notes->setText(sentencesText(notes));
    m_notes->setVisible(!notes.isEmpty());
    showFigures();
    fillUnknowns();
    const QString unit = toText(info.unit);
    m_target->setPlaceholderText(unit.isEmpty()               ? tr("number")
                                 : unit == QLatin1String("1") ? QStringLiteral("%")
                                                              : unit);
}

void PlannerAnswer::solve() {
    const QString target = m_target->text();
    if (target.trimmed().isEmpty() || m_unknown->currentIndex() < 0) return;
    const QString said = m_edits.solve(static_cast<Input>(m_unknown->currentData().toInt()), target);
    m_solved->setText(said);
    m_solved->setVisible(!said.isEmpty());
}

void PlannerAnswer::copyText() { QGuiApplication::clipboard()->setText(plannerText(m_model)); }
void PlannerAnswer::copyJson() {
    QGuiApplication::clipboard()->setText(QString::fromUtf8(plannerJson(m_model)));
}

void PlannerAnswer::focusSolve() {
    m_target->setFocus(Qt::ShortcutFocusReason);
    m_target->selectAll();
}

}  // namespace plumb::ui
