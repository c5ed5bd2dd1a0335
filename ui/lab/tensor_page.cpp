// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tensor_page.h"

#include "core/base/entry_at.h"
#include "core/machine/hardware_database.h"
#include "ui/lab/tensor_fields.h"
#include "ui/lab/tensor_memory.h"
#include "ui/lab/tensor_steps.h"
#include "ui/settings/settings.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/lab_edit.h"
#include "ui/widgets/splitter.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kStepsHeight = 170;  // of the table above the picture
constexpr int kSideBySide = 1050;  // from this width on, steps and picture stand beside each other

}  // namespace

TensorPage::TensorPage(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("tensorPage"));
    setAccessibleName(tr("Tensors in memory"));
    for (const Machine& machine : labMachines(context.view.workbench))
        if (machine.backend == "cuda") m_gpus.push_back(machine);
    auto* card = new Card(context.view.theme, tr("A tensor and its memory"), this);
    card->setObjectName(QStringLiteral("tensorCard"));
    card->setContentMargins(16, 8, 16, 12);
    card->setSubtitle(tr("the same colour and number: the same place in memory"));
    auto* copyButton = new QPushButton(tr("Copy"), card);
    copyButton->setObjectName(QStringLiteral("tensorCopy"));
    copyButton->setToolTip(tr("Copy the list of steps as text"));
    connect(copyButton, &QPushButton::clicked, this, &TensorPage::copy);
    card->addHeaderWidget(copyButton);
    auto* content = new QWidget(card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_fields = new TensorFields(context.view.theme, m_gpus, content);
    column->addWidget(m_fields);
    constexpr int kGap = 16;  // their texts have no frame
    m_split = makeSplitter(Qt::Horizontal, QStringLiteral("tensorSplit"), content, kGap);
    m_steps = new TensorSteps(context.view.theme, m_split);
    m_memory = new TensorMemory(context.view.theme, m_split);
    m_split->addWidget(m_steps);
    m_split->addWidget(m_memory);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 1);
    m_split->setSizes({1000, 1000});  // shares
    column->addWidget(m_split, 1);
    card->setContent(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);

    followParts();
    takeKeptInput();
}

TensorPage::~TensorPage() { silenceFocus(*this); }

void TensorPage::followParts() {
    connect(m_fields, &TensorFields::typing, this, [this] { showState(stateOf(m_fields->input())); });
    connect(m_fields, &TensorFields::committed, this, &TensorPage::commit);
    connect(m_fields, &TensorFields::presetChosen, this, &TensorPage::take);
    connect(m_fields, &TensorFields::stepChosen, this, &TensorPage::addStep);
    connect(m_fields, &TensorFields::moveRequested, this, &TensorPage::moveStep);
    connect(m_fields, &TensorFields::removeRequested, this, &TensorPage::removeStep);
    connect(m_steps, &TensorSteps::currentRowChanged, this, &TensorPage::showTensor);
    connect(m_steps, &TensorSteps::stepEdited, this, &TensorPage::editStep);
    connect(m_steps, &TensorSteps::moveRequested, this, &TensorPage::moveStep);
    connect(m_steps, &TensorSteps::removeRequested, this, &TensorPage::removeStep);
    connect(&m_context.view.workbench, &Workbench::sceneChanged, this, [this] {
        if (isVisible()) showState(stateOf(m_input));
    });
}

void TensorPage::take(const TensorPreset& preset) {
    TensorInput input = m_input;
    input.shape = QString::fromLatin1(preset.shape);
    input.steps = QString::fromLatin1(preset.steps);
    change(input, tr("tensor"));
}

void TensorPage::takeKeptInput() {
    TensorInput input;
    const LabSettings kept = m_context.settings.lab();
    if (!kept.shape.isNull()) input = {kept.shape, kept.steps, Dtype::Fp32, kept.device, kept.bus};
    if (const auto dtype = dtypeFromName(kept.dtype.toStdString())) input.dtype = *dtype;
    if (!m_fields->hasDevice(input.device)) {
        const auto usual = HardwareDatabase::builtIn().find("H100 SXM");
        input.device = usual.has_value() ? toText((*usual).id) : QString();
    }
    apply(stateOf(input).valid() ? input : TensorInput{.device = input.device});
}

TensorState TensorPage::stateOf(const TensorInput& input) const {
    const Machine& machine = m_context.view.workbench.scene()->whatIf.machine();
    Machine host;
    host.name = "this computer";
    if (machine.backend == "cpu") host = machine;
    return makeTensorState(input, host, m_gpus);
}

void TensorPage::commit() {
    const TensorInput input = m_fields->input();
    if (input != m_input && stateOf(input).valid()) change(input, tr("tensor"));
}

void TensorPage::change(const TensorInput& input, const QString& what) {
    if (input == m_input) return apply(input);
    pushInput<TensorInput>(m_context.undo, this, what, m_input, input, [this](const TensorInput& shown) {
        apply(shown);
        emit revealed();
    });
}

void TensorPage::apply(const TensorInput& input) {
    m_input = input;
    m_fields->setInput(input);
    LabSettings kept = m_context.settings.lab();
    kept.shape = input.shape;
    kept.steps = input.steps;
    kept.dtype = toText(dtypeName(input.dtype));
    kept.device = input.device;
    kept.bus = input.bus;
    m_context.settings.setLab(kept);
    showState(stateOf(input));
}

void TensorPage::showState(TensorState state) {
    m_fields->showError(state.shapeError.isEmpty() ? state.stepsError : state.shapeError, state.stepsMeant);
    m_split->setEnabled(state.valid());
    if (!state.valid()) return;  // what is shown stays, greyed, beside the sentence
    m_state = std::move(state);
    m_steps->showState(m_state);
    showTensor();
}

int TensorPage::currentRow() const { return m_steps->currentRow(); }

void TensorPage::showTensor() {
    const int row = currentRow();
    m_fields->markStep(row, static_cast<int>(m_state.rows.size()) - 1);
    if (!m_state.rows.empty()) m_memory->showTensor(m_state, row);
}

void TensorPage::changeSteps(const std::vector<lab::LayoutStep>& steps) {
    TensorInput input = m_input;
    input.steps = joinSteps(steps);
    change(input, tr("step", "done to a tensor"));
}

void TensorPage::editStep(int row, const QString& text) {
    if (row < 1 || row > static_cast<int>(m_state.steps.size())) return;
    auto parsed = lab::parseSteps(text.toStdString());
    if (!parsed.has_value()) return m_fields->showError(errorSentence(parsed.error()));
    std::vector<lab::LayoutStep> steps = m_state.steps;
    const auto at = steps.erase(steps.begin() + (row - 1));
    steps.insert(at, (*parsed).begin(), (*parsed).end());
    changeSteps(steps);
}

void TensorPage::addStep(const QString& text) {
    // After the marked one, which is the last unless the user chose another.
    std::vector<lab::LayoutStep> steps = m_state.steps;
    auto parsed = lab::parseSteps(text.toStdString());
    if (!parsed.has_value()) return;
    const int row = std::clamp(currentRow(), 0, static_cast<int>(steps.size()));
    steps.insert(steps.begin() + row, (*parsed).begin(), (*parsed).end());
    changeSteps(steps);
    m_steps->setCurrentRow(row + 1);
}

void TensorPage::removeStep() {
    const int row = currentRow();
    if (row < 1 || row > static_cast<int>(m_state.steps.size())) return;
    std::vector<lab::LayoutStep> steps = m_state.steps;
    steps.erase(steps.begin() + (row - 1));
    changeSteps(steps);
}

void TensorPage::moveStep(int by) {
    const int row = currentRow();
    const int other = row + by;
    if (row < 1 || other < 1 || std::max(row, other) > static_cast<int>(m_state.steps.size())) return;
    std::vector<lab::LayoutStep> steps = m_state.steps;
    std::swap(entryAt(steps, row - 1), entryAt(steps, other - 1));
    changeSteps(steps);
    m_steps->setCurrentRow(other);
}

void TensorPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const Qt::Orientation wanted = width() >= kSideBySide ? Qt::Horizontal : Qt::Vertical;
    if (m_split->orientation() == wanted && m_laidOut) return;
    m_laidOut = true;
    m_split->setOrientation(wanted);
    // One above the other the steps get a few rows, and the picture what is left.
    const bool above = wanted == Qt::Vertical;
    m_split->setStretchFactor(0, above ? 0 : 1);
    m_split->setSizes(above ? QList<int>{kStepsHeight, 1000} : QList<int>{1000, 1000});
}

void TensorPage::copy() { QApplication::clipboard()->setText(tensorTableText(m_state)); }

}  // namespace plumb::ui
