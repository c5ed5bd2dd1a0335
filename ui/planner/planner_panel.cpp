// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_panel.h"

#include "core/base/entry_at.h"
#include "core/base/nearest.h"
#include "core/base/quantity.h"
#include "ui/planner/planner_computation.h"
#include "ui/planner/planner_rows.h"
#include "ui/planner/planner_text.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/help_anchor.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/section_heading.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

using planner::Input;
using planner::InputKind;

constexpr int kWidth = 318, kNarrowest = 250;
constexpr int kSide = 14;
constexpr int kScrollBar = 10;
const auto kLoadConfig = QStringLiteral("load");

bool isOfModel(Input input) { return input == Input::Parameters || input == Input::BytesPerParameter; }
bool isOfSplit(Input input) { return input >= Input::Sequence && input <= Input::ShardGroup; }

QString sourceText(const planner::InputInfo& info, const planner::InputValue& value) {
    QString source = coreText(value.source);
    // A name, which is the same in every language, and where its figures are from.
    if (const std::size_t open = value.source.find(" (");
        open != std::string::npos && value.source.ends_with(')') && source == toText(value.source)) {
        const std::string_view of = value.source;
        source = PlannerPanel::tr("%1 (%2)").arg(toText(of.substr(0, open)),
                                                 coreText(of.substr(open + 2, of.size() - open - 3)));
    }
    source.remove(QStringLiteral("assumption: "));
    if (value.range.low == value.range.high) return source;
    return PlannerPanel::tr("%1 to %2 · %3")
        .arg(shortInputText(info.input, value.range.low), shortInputText(info.input, value.range.high),
             source);
}

}  // namespace

PlannerPanel::PlannerPanel(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_model(model),
      m_edits(edits),
      m_computation(new PlannerComputation(theme, model, edits, *this)) {
    setObjectName(QStringLiteral("plannerPanel"));
    setFixedWidth(scaled(kWidth));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("plannerPanelScroll"));
    scroll->setFocusPolicy(Qt::NoFocus);  // it follows what has the focus in it
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    scroll->setWidgetResizable(true);
    scroll->viewport()->setAutoFillBackground(false);
    auto* content = new QWidget(scroll);
    content->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kSide, 2, kSide - kScrollBar + 4, 10);
    layout->setSpacing(7);
    buildModel(*layout);
    buildDevices(*layout);
    buildSplit(*layout);
    buildAssumptions(*layout);
    layout->addStretch(1);
    scroll->setWidget(content);
    content->setAutoFillBackground(false);  // setWidget() turns it on
    outer->addWidget(scroll);
    fillModels();
}

QLabel* PlannerPanel::addHeading(QVBoxLayout& layout, const QString& text) {
    QLabel* label = makeSectionHeading(text, m_theme, this);
    layout.addWidget(label);
    return label;
}

void PlannerPanel::addRow(QVBoxLayout& layout, Input input) {
    const planner::InputInfo& info = planner::info(input);
    auto* field = new FieldRow(m_theme, capitalised(coreText(info.label)),
                               QStringLiteral("planner-") + toText(info.key), this);
    field->setHelp(withHelpHint(capitalised(coreText(info.help))));
    m_rows.push_back({input, field});
    connect(field, &FieldRow::entered, this, [this, input, field](const QString& text) {
        m_edits.enter(input, text);
        // What is said below, and its remedy, grew out of the panel where the field is the last one in sight.
        if (field->hasError() && field->isAncestorOf(QApplication::focusWidget())) bringIntoSightSoon(*field);
    });
    connect(field, &FieldRow::cancelled, this, [this, input] { m_edits.forgetTyped(input); });
    connect(field, &FieldRow::resetRequested, this, [this, input] { m_edits.reset(input); });
    layout.addWidget(field);
}

void PlannerPanel::buildModel(QVBoxLayout& layout) {
    addHeading(layout, tr("Model"));
    m_models = addPlannerCombo(layout, *this, m_theme, tr("Model"), "plannerModel");
    addRow(layout, Input::Parameters);
    m_modelNote = new QLabel(this);
    m_modelNote->setObjectName(QStringLiteral("plannerModelNote"));
    m_modelNote->setTextFormat(Qt::PlainText);
    m_modelNote->setWordWrap(true);
    QFont small = m_modelNote->font();
    small.setPointSizeF(small.pointSizeF() - 1);
    m_modelNote->setFont(small);
    layout.addWidget(m_modelNote);
    layout.addWidget(new FixButton(*m_modelNote), 0, Qt::AlignLeft);
    m_computation->addFramework(layout);
    m_recipes = addPlannerCombo(layout, *this, m_theme, tr("Recipe"), "plannerRecipe");
    for (const planner::NamedRecipe& recipe : planner::namedRecipes())
        m_recipes->addItem(coreText(recipe.label), toText(recipe.key));
    m_computation->addRecomputation(layout);
    addRow(layout, Input::RecomputeInterval);
    addRow(layout, Input::LossChunks);
    m_computation->addSoftware(layout);
    m_computation->addOffload(layout);
    buildTraining(layout);
    addRow(layout, Input::BytesPerParameter);
    connect(m_models, &QComboBox::activated, this, [this](int index) {
        const QString key = m_models->itemData(index).toString();
        if (key == kLoadConfig) {
            refresh();  // the combo goes back to what is in force
            emit configWanted();
        } else if (!key.isEmpty()) {
            m_edits.setModel(key);
        }
    });
    connect(m_recipes, &QComboBox::activated, this,
            [this](int index) { m_edits.setRecipe(m_recipes->itemData(index).toString()); });
}

QLineEdit* PlannerPanel::addEdit(QVBoxLayout& layout, const QString& label, const char* name,
                                 const QString& help, QWidget** row) {
    auto* line = new QWidget(this);
    auto* box = new QHBoxLayout(line);
    box->setContentsMargins(0, 0, 0, 0);
    auto* title = new QLabel(label, line);
    title->setFixedWidth(scaled(74));
    followColor(title, m_theme, ColorRole::Text);
    auto* edit = new QLineEdit(line);
    edit->setObjectName(QString::fromLatin1(name));
    edit->setAccessibleName(label);
    edit->setToolTip(help);
    title->setBuddy(edit);
    box->addWidget(title);
    box->addWidget(edit, 1);
    layout.addWidget(line);
    if (row) *row = line;
    return edit;
}

void PlannerPanel::buildTraining(QVBoxLayout& layout) {
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    auto* label = new QLabel(tr("Trained"), this);
    followColor(label, m_theme, ColorRole::Text);
    m_method =
        new SegmentedControl(m_theme, {tr("full", "all parameters are trained"), tr("LoRA"), tr("QLoRA")},
                             QStringLiteral("plannerMethod"), this);
    m_method->setAccessibleName(label->text());
    m_method->setSegmentToolTip(0, tr("The model's own parameters, but for what is frozen"));
    m_method->setSegmentToolTip(1, tr("Adapters beside frozen matrices"));
    m_method->setSegmentToolTip(2, tr("Adapters beside matrices that are kept in 4 bits"));
    column->addWidget(label);
    column->addWidget(m_method);
    layout.addLayout(column);
    addRow(layout, Input::Rank);
    m_targets = addEdit(layout, tr("Targets"), "plannerTargets",
                        tr("Matrices with an adapter: some of q, k, v, o, gate, up, down, or all-linear"),
                        &m_targetsRow);
    m_frozen =
        addEdit(layout, tr("Frozen"), "plannerFrozen",
                tr("What is not trained: some of embeddings, attention, feed-forward, experts, router, "
                   "norms, head, layers:0-11"));
    m_frozen->setPlaceholderText(tr("nothing"));
    for (QLineEdit* edit : {m_targets, m_frozen})
        connect(edit, &QLineEdit::editingFinished, this, [this, edit] {
            if (!edit->isModified()) return;
            edit->setModified(false);
            takeParts(*edit, edit->text());
        });
    connect(m_method, &SegmentedControl::chosen, this, [this](int index) {
        planner::Adaptation next = m_model.inputs().scenario.adaptation;
        planner::chooseMethod(next, static_cast<planner::FineTuning>(index));
        if (next.hasAdapters()) next.frozen = {};  // the model's own parameters are frozen beside them
        m_edits.setAdaptation(next);
    });
}

void PlannerPanel::takeParts(const QLineEdit& edit, const QString& text) {
    planner::Adaptation next = m_model.inputs().scenario.adaptation;
    const Result<void> taken = &edit == m_targets ? planner::setTargets(next, text.toStdString())
                                                  : planner::setFrozen(next, text.toStdString());
    m_edits.setAdaptation(taken.has_value() ? Result<planner::Adaptation>(next) : taken.error());
    if (taken.has_value()) return;
    if (const QString meant = toText(asMeant(text.toStdString(), taken.error())); !meant.isEmpty())
        FixButton::of(*m_modelNote)->offerUse(meant, [this, &edit, meant] { takeParts(edit, meant); });
}

void PlannerPanel::refreshTraining() {
    const planner::Scenario& scenario = m_model.inputs().scenario;
    const planner::Adaptation& adaptation = scenario.adaptation;
    // A mere number has no matrices, and the deep linear model is trained in full.
    const bool possible = scenario.model.transformer() != nullptr;
    m_method->setCurrent(static_cast<int>(adaptation.method));
    m_method->setEnabled(possible);
    m_targetsRow->setVisible(possible && adaptation.hasAdapters());
    m_targets->setText(coreText(planner::targetsText(adaptation)));
    m_frozen->setText(coreText(planner::frozenText(adaptation)));
    m_frozen->setEnabled(possible);
}

void PlannerPanel::buildDevices(QVBoxLayout& layout) {
    addHeading(layout, tr("Devices and data"));
    m_devices = addPlannerCombo(layout, *this, m_theme, tr("Device"), "plannerDevice");
    auto* line = new QHBoxLayout;
    m_deviceNote = new QLabel(this);
    m_deviceNote->setObjectName(QStringLiteral("plannerDeviceNote"));
    m_deviceNote->setTextFormat(Qt::PlainText);
    m_deviceNote->setWordWrap(true);
    QFont small = m_deviceNote->font();
    small.setPointSizeF(small.pointSizeF() - 1);
    m_deviceNote->setFont(small);
    followColor(m_deviceNote, m_theme, ColorRole::TextMuted);
    auto* manage = new QPushButton(tr("Edit…"), this);
    manage->setObjectName(QStringLiteral("plannerDevices"));
    manage->setProperty(kQuietButton, true);
    manage->setToolTip(tr("All device records; add your own"));
    manage->setAccessibleName(manage->toolTip());
    line->addWidget(m_deviceNote, 1);
    line->addWidget(manage, 0, Qt::AlignTop);
    layout.addLayout(line);
    for (const planner::InputInfo& info : planner::allInputs())
        if (info.kind == InputKind::Choice && !isOfModel(info.input) && !isOfSplit(info.input) &&
            info.input != Input::Zero && info.input != Input::RecomputeInterval &&
            info.input != Input::Rank && info.input != Input::LossChunks)
            addRow(layout, info.input);
    connect(m_devices, &QComboBox::activated, this, [this](int index) {
        if (index >= 0 && index < static_cast<int>(m_deviceIds.size()))
            m_edits.setDevice(entryAt(m_deviceIds, index));
    });
    connect(manage, &QPushButton::clicked, this, &PlannerPanel::devicesWanted);
}

void PlannerPanel::buildSplit(QVBoxLayout& layout) {
    m_splitHeading = addHeading(layout, tr("How the work is spread"));
    for (const planner::InputInfo& info : planner::allInputs())
        if (isOfSplit(info.input)) addRow(layout, info.input);
    m_zero = addPlannerCombo(layout, *this, m_theme, tr("Sharding"), "plannerZero", &m_zeroRow);
    m_zero->addItems(
        {tr("none"), tr("ZeRO-1: states"), tr("ZeRO-2: and gradients"), tr("ZeRO-3, FSDP: and weights")});
    m_zero->setToolTip(capitalised(coreText(planner::info(Input::Zero).help)));
    m_sequence = new QCheckBox(tr("Sequence parallel"), this);
    m_sequence->setObjectName(QStringLiteral("plannerSequence"));
    m_sequence->setToolTip(tr("Norms and dropouts are split over the tensor-parallel devices as well"));
    layout.addWidget(m_sequence);
    const auto spread = [this] {
        planner::ParallelLayout parallel = m_model.inputs().scenario.parallel;
        parallel.sharding = static_cast<planner::Sharding>(m_zero->currentIndex());
        parallel.sequence = m_sequence->isChecked();
        m_edits.setParallel(parallel);
    };
    connect(m_zero, &QComboBox::activated, this, spread);
    connect(m_sequence, &QCheckBox::clicked, this, spread);
}

void PlannerPanel::buildAssumptions(QVBoxLayout& layout) {
    auto* line = new QHBoxLayout;
    auto* inner = new QVBoxLayout;
    m_numbersHeading = addHeading(*inner, tr("Assumptions and facts"));
    m_numbersHeading->setWordWrap(true);  // beside the button, in large letters
    auto* all = new QPushButton(tr("Reset all"), this);
    all->setObjectName(QStringLiteral("plannerResetAll"));
    all->setProperty(kQuietButton, true);
    all->setToolTip(tr("Puts every assumption and every fact back to its default"));
    line->addLayout(inner, 1);
    line->addWidget(all, 0, Qt::AlignBottom);
    layout.addLayout(line);
    connect(all, &QPushButton::clicked, this, [this] { m_edits.reset(); });
    for (const planner::InputInfo& info : planner::allInputs())
        if (info.kind != InputKind::Choice) addRow(layout, info.input);
}

void PlannerPanel::fillModels() {
    m_models->addItem(tr("A number of parameters"), QString::fromLatin1(PlannerInputs::kCount));
    m_models->addItem(tr("Deep linear, of the run panel"), QString::fromLatin1(PlannerInputs::kLinear));
    QString group;
    for (const planner::ModelPreset& preset : planner::modelPresets()) {
        if (const QString next = coreText(preset.group); next != group) {
            m_models->insertSeparator(m_models->count());
            group = next;
        }
        m_models->addItem(coreText(preset.label), toText(preset.key));
        m_models->setItemData(m_models->count() - 1, toText(preset.source), Qt::ToolTipRole);
    }
    m_models->insertSeparator(m_models->count());
    m_models->addItem(tr("Load config.json…"), kLoadConfig);
}

void PlannerPanel::fillDevices() {
    std::vector<Machine> machines = m_model.library().known().all();
    std::vector<std::string> ids;
    QStringList names;
    for (const Machine& machine : machines) {
        ids.push_back(machine.id);
        names << (ids.size() == 1 ? tr("%1 (this machine)") : QStringLiteral("%1")).arg(deviceText(machine));
    }
    QStringList before;
    for (int i = 0; i < m_devices->count(); ++i) before << m_devices->itemText(i);
    if (before != names) {
        m_devices->clear();
        m_devices->addItems(names);
    }
    m_deviceIds = std::move(ids);
    const auto& device = m_model.inputs().scenario.cluster.device;
    const auto found = std::ranges::find(m_deviceIds, device ? device->id : std::string());
    m_devices->setCurrentIndex(found == m_deviceIds.end() ? -1
                                                          : static_cast<int>(found - m_deviceIds.begin()));
    // One that a plan brought along is in no list.
    m_devices->setPlaceholderText(device ? tr("%1 (of the plan)").arg(deviceText(*device)) : QString());
    m_devices->setToolTip(m_devices->currentIndex() < 0 ? m_devices->placeholderText()
                                                        : m_devices->currentText());
    if (!device) return m_deviceNote->setText(tr("Choose a device."));
    QStringList figures;
    if (device->memoryBytes) figures << quantityText(static_cast<double>(*device->memoryBytes), "B");
    const Dtype compute = planner::computeDtype(m_model.inputs().scenario);
    if (const auto peak = device->peak(compute))
        figures << toText(dtypeName(compute)) + QLatin1Char(' ') + quantityText(*peak, "FLOP/s");
    else
        figures << tr("no %1 peak").arg(toText(dtypeName(compute)));
    m_deviceNote->setText(figures.join(QStringLiteral(" · ")));
    m_deviceNote->setToolTip(coreText(device->source));
}

void PlannerPanel::refreshRow(const Row& row) {
    const planner::InputInfo& info = planner::info(row.input);
    const PlannerInputs& inputs = m_model.inputs();
    const auto& choices = m_model.results().choices;
    const QString problem = m_edits.inputProblem(row.input);
    bool visible = false;
    if (row.input == Input::Parameters)
        visible = inputs.scenario.model.count() != nullptr;
    else if (row.input == Input::RecomputeInterval)
        visible = inputs.scenario.recipe.recompute == planner::Recompute::Full;
    else if (row.input == Input::Rank)
        visible = inputs.scenario.adaptation.hasAdapters();
    else if (info.kind == InputKind::Choice)
        visible = std::ranges::find(choices, row.input) != choices.end();
    else
        visible = std::ranges::find(m_model.results().numbers, row.input) != m_model.results().numbers.end();
    row.field->setVisible(visible || !problem.isEmpty());
    row.field->setLabel(capitalised(coreText(planner::labelOf(row.input, inputs.scenario.model))));
    const auto value = planner::valueOf(inputs.scenario, row.input);
    if (!m_edits.wasRefused(row.input))
        row.field->showText(value.has_value() ? inputText(row.input, value->range.expected) : QString());
    const bool choice = info.kind == InputKind::Choice;
    if (!value.has_value())
        row.field->showNote(choice ? QString() : forWindow(value.error()));
    else
        row.field->showNote(choice && value->given ? QString() : sourceText(info, *value));
    const bool optional = row.input == Input::Sequence || row.input == Input::Batch ||
                          row.input == Input::Budget || row.input == Input::Days ||
                          row.input == Input::BytesPerParameter || row.input == Input::ShardGroup;
    row.field->setResettable(value.has_value() && value->given && (!choice || optional));
    row.field->setPlaceholder(choice ? tr("not given") : tr("not known"));
    row.field->showError(problem);
    if (problem.isEmpty()) return;
    if (const std::optional<double> fix = m_edits.fixOf(row.input))
        row.field->offer(inputText(row.input, *fix),
                         [this, input = row.input, value = *fix] { m_edits.fix(input, value); });
}

void PlannerPanel::refresh() {
    const PlannerInputs& inputs = m_model.inputs();
    const planner::Scenario& scenario = inputs.scenario;
    const bool isLinear = scenario.model.linear() != nullptr;
    const int ofModel = m_recipes->findData(QString::fromLatin1(PlannerInputs::kOfModel));
    const bool ofRunPanel = inputs.model == QLatin1String(PlannerInputs::kLinear);
    if (ofRunPanel && ofModel < 0)
        m_recipes->insertItem(0, tr("as the run panel trains it"),
                              QString::fromLatin1(PlannerInputs::kOfModel));
    if (!ofRunPanel && ofModel >= 0) m_recipes->removeItem(ofModel);
    // What a plan brought along can be chosen as long as it is in force.
    const QString ofPlan = QString::fromLatin1(PlannerInputs::kPlan);
    for (const auto& [box, key] : {std::pair{m_models, inputs.model}, std::pair{m_recipes, inputs.recipe}}) {
        const int item = box->findData(ofPlan);
        if (key == ofPlan && item < 0) box->insertItem(box == m_models ? 2 : 0, QString(), ofPlan);
        if (key != ofPlan && item >= 0) box->removeItem(item);
    }
    if (const int item = m_recipes->findData(ofPlan); item >= 0)
        m_recipes->setItemText(item, tr("%1 (of the plan)").arg(coreText(scenario.recipe.name)));
    const QString ofConfig = QString::fromLatin1(PlannerInputs::kConfig);
    if (inputs.model == ofConfig && m_models->findData(ofConfig) < 0)
        m_models->insertItem(2, QString(), ofConfig);
    const int model = m_models->findData(inputs.model);
    if (inputs.model == ofConfig || inputs.model == ofPlan)
        m_models->setItemText(model, modelText(scenario.model));
    m_models->setCurrentIndex(model);
    m_recipes->setCurrentIndex(m_recipes->findData(inputs.recipe));
    m_recipes->setToolTip(m_recipes->currentText());
    m_models->setToolTip(m_models->currentText());
    m_computation->refresh();
    refreshTraining();
    m_zero->setCurrentIndex(static_cast<int>(scenario.parallel.sharding));
    m_sequence->setChecked(scenario.parallel.sequence);
    const bool problem = !m_edits.modelProblem().isEmpty();
    const double parameters = scenario.model.parameters();
    m_modelNote->setText(problem ? m_edits.modelProblem()
                                 : tr("%1 parameters · %2")
                                       .arg(grouped(planner::formatInput(Input::Parameters, parameters)),
                                            coreText(scenario.model.source)));
    m_modelNote->setVisible(problem || !scenario.model.count());
    FixButton::of(*m_modelNote)->withdraw();  // who was refused offers it again
    QPalette palette = m_modelNote->palette();
    palette.setColor(QPalette::WindowText, m_theme.color(problem ? ColorRole::Bad : ColorRole::TextMuted));
    m_modelNote->setPalette(palette);
    fillDevices();
    for (const Row& row : m_rows) refreshRow(row);
    const auto& choices = m_model.results().choices;
    const bool split = std::ranges::find(choices, Input::Tensor) != choices.end();
    m_splitHeading->setVisible(split);
    m_zeroRow->setVisible(split && !isLinear);
    m_sequence->setVisible(split && scenario.parallel.tensor > 1);
}

int PlannerPanel::leastWidth() { return scaled(kNarrowest); }

void PlannerPanel::fitWidth(std::optional<int> room) {
    setMinimumWidth(room ? std::clamp(*room, leastWidth(), scaled(kWidth)) : leastWidth());
    setMaximumWidth(room ? minimumWidth() : QWIDGETSIZE_MAX);
}

void PlannerPanel::focusInput(Input input) {
    for (const Row& row : m_rows)
        if (row.input == input && row.field->isVisibleTo(this)) {
            findChild<QScrollArea*>(QStringLiteral("plannerPanelScroll"))->ensureWidgetVisible(row.field);
            row.field->focusField();
        }
}

}  // namespace plumb::ui
