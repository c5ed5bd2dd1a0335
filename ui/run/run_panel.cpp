// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_panel.h"

#include "ui/run/advanced_section.h"
#include "ui/run/recipe_sections.h"
#include "ui/run/run_sections.h"
#include "ui/run/run_settings.h"
#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/size_field.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

constexpr int kPanelWidth = 284;
constexpr int kPanelSide = 20;
constexpr int kCornerTop = 4;
constexpr int kCornerHeight = 32;  // with the button of the side panel at its right
constexpr int kQuietPadding =
    12;                         // of a button without a frame, whose text is to stand in line with the rows
constexpr int kScrollBar = 10;  // HouseStyle's

/// The part that scrolls; rows go to its layout.
QVBoxLayout& addScrolledLayout(QVBoxLayout& outer, QWidget* panel) {
    auto* scroll = new QScrollArea(panel);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);  // it follows what has the focus in it
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setVerticalScrollBarPolicy(
        Qt::ScrollBarAlwaysOn);  // its room is kept: nothing moves when it shows
    scroll->setWidgetResizable(true);
    scroll->viewport()->setAutoFillBackground(false);
    auto* content = new QWidget(scroll);
    content->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kPanelSide, 6, kPanelSide - kScrollBar, 8);
    layout->setSpacing(7);
    scroll->setWidget(content);
    outer.addWidget(scroll, 1);
    return *layout;
}

/// The part below it, which is always in sight.
QVBoxLayout& addFoot(QVBoxLayout& outer, QWidget* panel) {
    auto* foot = new QWidget(panel);
    auto* layout = new QVBoxLayout(foot);
    layout->setContentsMargins(kPanelSide, 0, kPanelSide, 14);
    layout->setSpacing(7);
    outer.addWidget(foot);
    return *layout;
}

}  // namespace

/// In the order in which they stand, from the top.
struct RunPanel::Sections {
    Sections(const PanelRows& rows, const PanelRows& foot, RunPanel& panel)
        : model(rows, panel.m_editor),
          batch(rows, panel.m_editor),
          recompute(rows, panel.m_editor, panel.m_context.workbench),
          precision(rows, panel.m_editor),
          optimizer(rows, panel.m_editor),
          device((rows.addHeading(tr("Run"))->setObjectName(QStringLiteral("runHeading")), rows),
                 panel.m_editor, panel.m_controller),
          rate(rows, panel.m_editor, panel.m_controller),
          data(rows, panel.m_editor),
          advanced(rows, panel.m_editor, panel.m_controller, panel.m_context),
          memory(foot, panel.m_context.workbench, panel.m_controller),
          buttons(foot, panel.m_controller, [&panel] { return panel.commitEntries(); }) {}

    void show(const RunPanelState& state) {
        model.show(state);
        batch.show(state);
        recompute.show(state);
        precision.show(state);
        optimizer.show(state);
        advanced.refresh();
        rate.show(state);
        data.show(state);
        device.show(state);
        memory.show(state);
        buttons.show(state);
    }

    ModelSection model;
    BatchSection batch;
    RecomputeSection recompute;
    PrecisionSection precision;
    OptimizerSection optimizer;
    DeviceSection device;
    RateSection rate;
    DataSection data;
    AdvancedSection advanced;
    MemorySection memory;
    RunButtons buttons;
};

RunPanel::RunPanel(ViewContext context, RunController& controller, ConfigHistory& history, QWidget* parent)
    : QWidget(parent), m_context(context), m_controller(controller), m_editor(context.workbench, history) {
    setObjectName(QStringLiteral("runPanel"));
    setFixedWidth(scaled(kPanelWidth));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    QVBoxLayout& scrolled = addScrolledLayout(*outer, this);
    QVBoxLayout& foot = addFoot(*outer, this);
    m_sections = std::make_unique<Sections>(PanelRows(context.theme, *this, scrolled),
                                            PanelRows(context.theme, *this, foot), *this);
    scrolled.addStretch(1);
    m_editor.setLastLine(m_sections->buttons.errorLine());
    connectSections();
    fillAsPanel(*this, context.theme);
    for (auto* field : findChildren<QLineEdit*>()) field->installEventFilter(this);
    refresh();
}

RunPanel::~RunPanel() = default;

// A line of its own that does not scroll: what does would lie under the button that folds the panel.
void RunPanel::setCorner(QWidget* widget) {
    auto* line = new QWidget(this);
    line->setMinimumHeight(scaled(kCornerHeight));
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(kPanelSide - kQuietPadding, kCornerTop, 0, 0);
    row->addWidget(widget);
    row->addStretch(1);
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, line);
    // Tab goes the way that the eye goes: what stands at the top comes between what is left of the panel and
    // the rest of it.
    QWidget* before = previousInFocusChain();
    while (before != this && (before->focusPolicy() & Qt::TabFocus) == 0)
        before = before->previousInFocusChain();
    if (before != this) setTabOrder(before, widget);
}

void RunPanel::connectSections() {
    connect(&m_context.workbench, &Workbench::sceneChanged, this, &RunPanel::refresh);
    connect(&m_controller, &RunController::changed, this, &RunPanel::refresh);
    connect(&m_controller.devices(), &DeviceChoices::refused, &m_editor, &ConfigEditor::showRefusal);
    connect(&m_editor, &ConfigEditor::edited, this, &RunPanel::refresh);
    connect(&m_editor, &ConfigEditor::refused, this, [this](const Error& error) {
        if (!isVisible()) emit refusedUnseen(error);
    });
    connect(&m_editor, &ConfigEditor::said, this, [](QWidget* where) { bringIntoSightSoon(*where); });
    connect(&m_sections->data, &DataSection::changed, this, &RunPanel::refresh);
    connect(&m_sections->data, &DataSection::fileWanted, this, &RunPanel::fileWanted);
    connect(&m_sections->advanced, &AdvancedSection::folderWanted, this, &RunPanel::folderWanted);
    connect(&m_sections->advanced, &AdvancedSection::checkpointWanted, this, &RunPanel::checkpointWanted);
    connect(&m_sections->memory, &MemorySection::batchWanted, &m_sections->batch, &BatchSection::setBatch);
}

RunPanelInput RunPanel::input() const {
    RunPanelInput input{.scene = m_context.workbench.session(),
                        .running = m_controller.work().runningConfig(),
                        .engine = m_controller.work().engineState(),
                        .whyNotRun = m_controller.chosen().whyNotRun(),
                        .canTrain = m_controller.chosen().canTrain(),
                        .canApply = m_controller.canApply(),
                        .devices = &m_controller.devices().all(),
                        .currentDevice = m_controller.devices().currentIndex(),
                        .stepsWanted = m_controller.next().steps(),
                        .counters = m_controller.next().counters(),
                        .whyNoCounters = m_controller.chosen().whyNoCounters()};
    for (std::size_t i = 0; i < kAllCounterDetails.size(); ++i)
        input.countingSteps.at(i) = m_controller.chosen().countingSteps(kAllCounterDetails.at(i));
    return input;
}

void RunPanel::refresh() {
    const RunPanelState now = state();
    m_sections->show(now);
    emit shown(now);
}

bool RunPanel::commitEntries() {
    bool ok = true;
    for (auto* field : findChildren<SizeField*>()) ok = (!field->isVisibleTo(this) || field->commit()) && ok;
    ok = ok && m_sections->rate.commit();
    ok = m_sections->recompute.commit() && ok;
    ok = m_sections->advanced.commit() && ok;
    if (!ok) goToRefused();
    return ok && m_sections->data.isComplete();
}

// A run that does not begin says why where the user looks.
void RunPanel::goToRefused() {
    for (auto* field : findChildren<QLineEdit*>()) {
        const auto* size = qobject_cast<const SizeField*>(field);
        if (!field->isVisibleTo(this) || !(field->isModified() || (size && size->isInvalid()))) continue;
        emit entryRefused(field);
        field->setFocus(Qt::TabFocusReason);
        return;
    }
}

void RunPanel::focusSetting(std::string_view option) {
    const QString name = controlOf(option);
    QWidget* control = nullptr;
    for (const char* suffix : {"Field", "", "Option"})
        if (control == nullptr) control = findChild<QWidget*>(name + QLatin1String(suffix));
    if (control == nullptr) return;
    if (!control->isVisibleTo(this)) m_sections->advanced.unfold(true);
    for (QWidget* outer = control->parentWidget(); outer != this; outer = outer->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(outer)) scroll->ensureWidgetVisible(control);
    // Of segments, the one that is on.
    if (control->focusPolicy() == Qt::NoFocus)
        for (auto* button : control->findChildren<QAbstractButton*>())
            if (button->isChecked()) control = button;
    control->setFocus(Qt::ShortcutFocusReason);
    if (auto* line = qobject_cast<QLineEdit*>(control)) line->selectAll();
}

void RunPanel::enter(std::string_view option, const QString& value) {
    if (option == kStepsOfRun) return m_sections->rate.enterSteps(value);
    RunConfig config = m_editor.config();
    if (!setOption(config, option, value.toStdString()).has_value()) return;
    if (auto* field = findChild<SizeField*>(controlOf(option) + QStringLiteral("Field"));
        field != nullptr && field->isVisibleTo(this)) {
        field->setText(toText(optionValue(config, option)));  // digits alone, which any style reads alike
        field->setModified(true);
        (void)field->commit();  // its row says why not
        return;
    }
    m_editor.edit(optionTitle(option).toLower(), config);
}

void RunPanel::chooseFile(DataFile which, const QString& path) { m_sections->data.choose(which, path); }

bool RunPanel::filterKey(QLineEdit& field, const QKeyEvent& key, QEvent::Type type) {
    const auto* size = qobject_cast<const SizeField*>(&field);
    if (type == QEvent::ShortcutOverride) {
        // Nothing is being typed: the window takes the last setting back.
        const bool entered = !field.isModified() && !(size && size->isInvalid());
        return entered && (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo));
    }
    if (size || !field.isModified() || key.key() != Qt::Key_Escape) return false;
    if (!m_sections->advanced.revert(&field) &&
        (m_sections->recompute.revert(&field) || m_sections->rate.revert(&field)))
        refresh();
    return true;
}

bool RunPanel::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (auto* field = qobject_cast<QLineEdit*>(watched);
        field && (type == QEvent::ShortcutOverride || type == QEvent::KeyPress) &&
        filterKey(*field, *static_cast<QKeyEvent*>(event), type)) {
        if (type == QEvent::ShortcutOverride) event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumb::ui
