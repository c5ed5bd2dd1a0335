// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/option_form.h"

#include "ui/run/panel_rows.h"
#include "ui/run/run_settings.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/option_titles.h"
#include "ui/workbench/workbench.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

constexpr int kFieldWidth = 104;

/// Options with a control of their own in the run panel.
constexpr std::array<std::string_view, 15> kElsewhere{
    "dim",        "layers", "outputs",    "activation", "batch", "micro-batch", "precision", "master-weights",
    "grad-dtype", "lr",     "checkpoint", "optimizer",  "seed",  "data",        "targets"};
/// Chosen by the device, not by an option.
constexpr std::string_view kBackend = "backend";

/// The value of an option; words stay as they are: "AdamW", "0,001", "65 536".
QString writtenValue(const QString& value) {
    bool isWhole = false;
    const qlonglong whole = value.toLongLong(&isWhole);
    return isWhole ? countText(whole) : localText(value.toStdString());
}

enum class Section { Optimizer, Rate, LossScale, Start };

struct Place {
    std::string_view option;
    Section section;
};
/// Where options stand; one that is not listed stands at the end.
constexpr std::array kPlaces{Place{"weight-decay", Section::Optimizer},
                             Place{"momentum", Section::Optimizer},
                             Place{"dampening", Section::Optimizer},
                             Place{"nesterov", Section::Optimizer},
                             Place{"beta1", Section::Optimizer},
                             Place{"beta2", Section::Optimizer},
                             Place{"epsilon", Section::Optimizer},
                             Place{"alpha", Section::Optimizer},
                             Place{"centered", Section::Optimizer},
                             Place{"amsgrad", Section::Optimizer},
                             Place{"lr-decay", Section::Optimizer},
                             Place{"initial-accumulator", Section::Optimizer},
                             Place{"beta2-decay", Section::Optimizer},
                             Place{"epsilon2", Section::Optimizer},
                             Place{"clip-threshold", Section::Optimizer},
                             Place{"clip-norm", Section::Optimizer},
                             Place{"lr-schedule", Section::Rate},
                             Place{"warmup-steps", Section::Rate},
                             Place{"schedule-steps", Section::Rate},
                             Place{"min-lr", Section::Rate},
                             Place{"gamma", Section::Rate},
                             Place{"loss-scale", Section::LossScale},
                             Place{"loss-scale-growth", Section::LossScale},
                             Place{"loss-scale-backoff", Section::LossScale},
                             Place{"loss-scale-interval", Section::LossScale}};
constexpr std::array kSectionTitles{
    QT_TRANSLATE_NOOP("plumb::ui", "Optimizer"), QT_TRANSLATE_NOOP("plumb::ui", "Learning rate"),
    QT_TRANSLATE_NOOP("plumb::ui", "Loss scale"), QT_TRANSLATE_NOOP("plumb::ui", "Start and data")};

Section sectionOf(std::string_view option) {
    const auto found = std::ranges::find(kPlaces, option, &Place::option);
    return found == kPlaces.end() ? Section::Start : found->section;
}

/// "a|b|c" in small letters is a choice; "synthetic|FILE" and "number >= 0" are typed.
QStringList choicesOf(const OptionInfo& info) {
    const QString values = toText(info.values);
    if (!values.contains(u'|') || values != values.toLower()) return {};
    return values.split(u'|');
}

/// A number that a field has room for: "1.19209e-07"; its exact value is in the tool tip.
QString shortText(const QString& value) {
    constexpr qsizetype kRoom = 12;
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    if (isNumber) return value.size() > kRoom ? numberText(number) : writtenValue(value);
    return value;
}

std::string defaultText(const RunConfig& config, std::string_view option) {
    return optionValue(withDefault(config, option), option);
}

}  // namespace

struct OptionForm::Group {
    QLabel* title = nullptr;
    QVBoxLayout* layout = nullptr;
};

struct OptionForm::Row {
    OptionInfo info;
    QString label;
    QWidget* box = nullptr;
    std::size_t group = 0;
    QCheckBox* check = nullptr;  ///< one of these three
    QComboBox* choice = nullptr;
    QLineEdit* field = nullptr;
    QLabel* error = nullptr;
    bool applies = false;
};

RunConfig withDefault(RunConfig config, std::string_view option) {
    // An empty text stands for the default where the table knows one that follows the optimizer.
    if (option == "weight-decay")
        config.weightDecay.reset();
    else if (!setOption(config, option, "").has_value() || option == "data" || option == "targets")
        (void)setOption(config, option, optionValue(RunConfig{}, option));
    return config;
}

OptionForm::OptionForm(ViewContext context, QWidget* parent)
    : QWidget(parent), m_context(context), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("optionForm"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(7);
    for (const char* title : kSectionTitles) {
        auto group = std::make_unique<Group>();
        group->title = new QLabel(tr(title), this);
        QFont font = group->title->font();
        font.setWeight(QFont::DemiBold);
        group->title->setFont(font);
        group->title->setContentsMargins(0, 6, 0, 0);
        followColor(group->title, context.theme, ColorRole::Text);
        group->layout = new QVBoxLayout;
        group->layout->setSpacing(7);
        m_layout->addWidget(group->title);
        m_layout->addLayout(group->layout);
        m_groups.push_back(std::move(group));
    }
    // In the order in which they stand: Tab goes so.
    for (std::size_t section = 0; section < kSectionTitles.size(); ++section)
        for (const OptionInfo& info : runOptions())
            if (!std::ranges::count(kElsewhere, info.name) && info.name != kBackend &&
                static_cast<std::size_t>(sectionOf(info.name)) == section)
                addRow(info);
    refresh();
}

OptionForm::~OptionForm() = default;

void OptionForm::addRow(const OptionInfo& info) {
    auto row = std::make_unique<Row>();
    Row* const at = row.get();
    row->info = info;
    row->label = optionTitle(info.name);
    row->group = static_cast<std::size_t>(sectionOf(info.name));
    row->box = new QWidget(this);
    auto* column = new QVBoxLayout(row->box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    const QString name = toText(info.name) + QStringLiteral("Option");
    QWidget* editor = nullptr;
    const QStringList choices = choicesOf(info);
    if (choices == QStringList{QStringLiteral("on"), QStringLiteral("off")}) {
        editor = row->check = new QCheckBox(row->label, row->box);
        connect(row->check, &QCheckBox::clicked, this,
                [this, at](bool on) { enter(*at, on ? QStringLiteral("on") : QStringLiteral("off")); });
    } else {
        auto* label = new QLabel(row->label, row->box);
        followColor(label, m_context.theme, ColorRole::TextMuted);
        line->addWidget(label, 1);
        if (choices.isEmpty()) {
            editor = row->field = new QLineEdit(row->box);
            row->field->setAlignment(Qt::AlignRight);
            connect(row->field, &QLineEdit::editingFinished, this, [this, at] { submit(*at); });
        } else {
            editor = row->choice = new QComboBox(row->box);
            for (const QString& choice : choices)
                row->choice->addItem(choiceTitle(info.name, choice.toStdString()), choice);
            connect(row->choice, &QComboBox::activated, this,
                    [this, at](int chosen) { enter(*at, at->choice->itemData(chosen).toString()); });
        }
        editor->setFixedWidth(kFieldWidth);
        label->setBuddy(editor);
    }
    editor->setObjectName(name);
    editor->setAccessibleName(row->label);
    line->addWidget(editor);
    column->addLayout(line);
    row->error = new QLabel(row->box);
    row->error->setObjectName(name + QStringLiteral("Error"));
    row->error->setWordWrap(true);
    row->error->setTextFormat(Qt::PlainText);
    row->error->hide();
    followColor(row->error, m_context.theme, ColorRole::Bad);
    column->addWidget(row->error);
    column->addWidget(new FixButton(*row->error), 0, Qt::AlignLeft);
    m_groups[row->group]->layout->addWidget(row->box);
    m_rows.push_back(std::move(row));
}

void OptionForm::fill(Row& row, const RunConfig& config) {
    const QString value = toText(optionValue(config, row.info.name));
    const QString standard = toText(defaultText(config, row.info.name));
    row.box->setToolTip(tr("%1 (%2)\nIn force: %3, default: %4. On the command line: --%5")
                            .arg(coreText(row.info.help), coreText(row.info.values), writtenValue(value),
                                 writtenValue(standard), toText(row.info.name)));
    if (row.check) row.check->setChecked(value == QLatin1String("on"));
    if (row.choice) row.choice->setCurrentIndex(row.choice->findData(value));
    if (!row.field) return;
    row.field->setPlaceholderText(shortText(standard));
    if (row.field->isModified() || row.field->text() == shortText(value)) return;
    row.field->setText(shortText(value));
    row.field->setCursorPosition(0);
}

void OptionForm::refresh() {
    const RunConfig& config = m_context.workbench.config();
    std::vector<bool> filled(m_groups.size(), false);
    for (const auto& row : m_rows) {
        row->applies = optionApplies(config, row->info.name);
        if (!row->applies && row->field) row->field->setModified(false);
        if (!row->applies) showSentence(row->error, {});
        fill(*row, config);
        row->box->setVisible(row->applies);
        filled[row->group] = filled[row->group] || row->applies;
    }
    for (std::size_t i = 0; i < m_groups.size(); ++i) m_groups[i]->title->setVisible(filled[i]);
}

bool OptionForm::enter(Row& row, const QString& text) {
    const RunConfig& before = m_context.workbench.config();
    const QString typed = text.trimmed();
    const Result<RunConfig> entered =
        typed.isEmpty() ? withDefault(before, row.info.name) : withTyped(before, row.info.name, typed);
    showSentence(row.error, entered.has_value() ? QString() : settingSentence(entered.error()));
    if (entered.has_value()) {
        if (row.field) row.field->setModified(false);
        emit edited(row.label, *entered, row.error);
    }
    const bool ok = row.error->text().isEmpty();
    row.error->setVisible(!ok);
    // Refused: the text stays as typed beside the sentence that says why; a choice goes back by refresh().
    if (!ok && row.field) {
        row.field->setText(text);
        row.field->setModified(true);
    }
    if (!ok) refresh();
    if (!ok) bringIntoSightSoon(*row.error);
    return ok;
}

bool OptionForm::submit(Row& row) { return !row.field->isModified() || enter(row, row.field->text()); }

bool OptionForm::commit() {
    bool ok = true;
    for (const auto& row : m_rows)
        if (row->applies && row->field) ok = submit(*row) && ok;
    return ok;
}

bool OptionForm::revert(const QObject* widget) {
    for (const auto& row : m_rows) {
        if (!row->field || row->field != widget) continue;
        row->field->setModified(false);
        showSentence(row->error, {});
        fill(*row, m_context.workbench.config());
        return true;
    }
    return false;
}

int OptionForm::changedCount() const {
    const RunConfig& config = m_context.workbench.config();
    return static_cast<int>(std::ranges::count_if(m_rows, [&](const auto& row) {
        return row->applies && optionValue(config, row->info.name) != defaultText(config, row->info.name);
    }));
}

}  // namespace plumb::ui
