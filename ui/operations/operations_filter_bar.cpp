// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_filter_bar.h"

#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tone_label.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QStandardItemModel>

#include <utility>

namespace plumb::ui {

namespace {

constexpr int kTermRole = Qt::UserRole + 1;
constexpr int kFieldWidth = 300;  // logical pixels
constexpr int kMostProposals = 12;

/// Proposes what may stand in the place of a filter's last term, and nothing behind a blank unless asked.
class TermCompleter final : public QCompleter {
public:
    explicit TermCompleter(QObject* parent) : QCompleter(parent) {
        auto* terms = new QStandardItemModel(this);
        for (const FilterTerm& term : filterTerms()) {
            auto* item = new QStandardItem(term.term + QStringLiteral("  –  ") + term.about);
            item->setData(term.term, kTermRole);
            terms->appendRow(item);
        }
        setModel(terms);
        setCompletionRole(kTermRole);
        setCaseSensitivity(Qt::CaseInsensitive);
        setMaxVisibleItems(kMostProposals);
    }
    /// Shows all that may follow the text.
    void propose(const QString& text) {
        m_isAsked = true;
        setCompletionPrefix(text);
        m_isAsked = false;
        complete();
    }
    [[nodiscard]] QString pathFromIndex(const QModelIndex& index) const override {
        return m_before + index.data(kTermRole).toString();
    }
    [[nodiscard]] QStringList splitPath(const QString& path) const override {
        const qsizetype from = path.lastIndexOf(u' ') + 1;
        m_before = path.left(from);
        const QString term = path.mid(from);
        // No term begins with a blank: nothing is proposed.
        return {term.isEmpty() && !m_isAsked ? QStringLiteral(" ") : term};
    }

private:
    mutable QString m_before;  ///< the terms before the last
    bool m_isAsked = false;
};

}  // namespace

OperationsFilterBar::OperationsFilterBar(Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_shape(new SegmentedControl(theme, {tr("Tree"), tr("List")}, QStringLiteral("operationsShape"), this)),
      m_field(new QLineEdit(this)),
      m_range(new QPushButton(this)),
      m_says(new ToneLabel(theme, ColorRole::TextMuted, this)) {
    m_shape->setCurrent(0);
    m_shape->setAccessibleName(tr("Shape of the table"));
    m_shape->setSegmentToolTip(0, tr("Operations by phase and kind, with their sums"));
    m_shape->setSegmentToolTip(1, tr("Every operation by itself, to sort all of them by one figure"));
    m_shape->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_shape, &SegmentedControl::chosen, this, [this](int shape) { emit flatChosen(shape == 1); });
    buildField();
    m_range->setObjectName(QStringLiteral("operationsSpan"));
    m_range->setToolTip(tr("Another view has narrowed the step to these. Click to see all of it again."));
    m_range->hide();
    connect(m_range, &QPushButton::clicked, this, &OperationsFilterBar::rangeCleared);
    m_says->setObjectName(QStringLiteral("operationsMatches"));
    m_says->setWordWrap(true);
    m_says->setMinimumWidth(0);
    m_says->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(10);
    row->addWidget(m_shape);
    row->addWidget(m_field);
    row->addWidget(m_range);
    row->addWidget(new FixButton(*m_says));
    row->addWidget(m_says, 1);
}

void OperationsFilterBar::buildField() {
    m_field->setObjectName(QStringLiteral("operationsFilter"));
    m_field->setAccessibleName(tr("Filter operations"));
    m_field->setPlaceholderText(tr("Filter  /    time>1ms  bound:memory"));
    m_field->setToolTip(filterHelp());
    m_field->setClearButtonEnabled(true);
    m_field->setFixedWidth(scaled(kFieldWidth));
    auto* completer = new TermCompleter(m_field);
    m_field->setCompleter(completer);
    completer->popup()->setObjectName(QStringLiteral("operationsTerms"));
    completer->popup()->setAccessibleName(tr("Terms of a filter"));
    connect(m_field, &QLineEdit::textChanged, this, &OperationsFilterBar::queryChanged);
    const auto onKey = [this](const QKeySequence& key, auto act) {
        auto* shortcut = new QShortcut(key, m_field);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    onKey(QKeySequence(Qt::Key_Escape), [this] {
        m_field->clear();
        emit tableWanted();
    });
    onKey(QKeySequence(Qt::Key_Down), [this] { emit tableWanted(); });
    onKey(QKeySequence(Qt::CTRL | Qt::Key_Space), [this, completer] { completer->propose(m_field->text()); });
}

void OperationsFilterBar::focusField() { m_field->setFocus(Qt::ShortcutFocusReason); }

void OperationsFilterBar::showRange(const OpSet& ops) {
    m_range->setVisible(!ops.empty());
    if (ops.empty()) return;
    const std::optional<OpSpan> span = ops.span();
    if (!span) {
        m_range->setText(tr("%1 operations chosen ✕").arg(ops.count()));
        m_range->setAccessibleName(tr("Narrowed to %1 operations: show all").arg(ops.count()));
        return;
    }
    m_range->setText(span->count() == 1 ? tr("Operation %1 ✕").arg(span->first + 1)
                                        : tr("Operations %1–%2 ✕").arg(span->first + 1).arg(span->last + 1));
    m_range->setAccessibleName(
        tr("Narrowed to the operations %1 to %2: show all").arg(span->first + 1).arg(span->last + 1));
}

void OperationsFilterBar::showMatches(const OperationsQuery& query, int matches) {
    QString text;
    if (!query.empty() || !m_range->isHidden())
        text = matches == 1 ? tr("1 operation") : tr("%1 operations").arg(matches);
    const QString& mistake = query.mistake();
    if (!mistake.isEmpty()) text = query.empty() ? mistake : tr("%1 The other terms hold.").arg(mistake);
    m_says->showText(text, mistake.isEmpty() ? ColorRole::TextMuted : ColorRole::Bad);
    m_field->setAccessibleDescription(text);
    FixButton* const fix = FixButton::of(*m_says);
    if (query.correction().isEmpty()) return fix->withdraw();
    fix->offerUse(query.correction(), [this, text = query.correction()] {
        focusField();  // the button goes, and the keyboard with it
        m_field->setText(text);
    });
}

}  // namespace plumb::ui
