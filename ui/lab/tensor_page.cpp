// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tensor_page.h"

#include "core/machine/hardware_database.h"
#include "ui/lab/tensor_model.h"
#include "ui/lab/tensor_picture.h"
#include "ui/settings/settings.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/lab_edit.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
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
    column->addWidget(makeControls());
    m_split = new QSplitter(Qt::Horizontal, content);
    m_split->setObjectName(QStringLiteral("tensorSplit"));
    m_split->setChildrenCollapsible(false);
    m_split->setHandleWidth(16);
    m_split->addWidget(makeSteps());
    m_split->addWidget(makePicture());
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 1);
    m_split->setSizes({1000, 1000});  // shares
    column->addWidget(m_split, 1);
    card->setContent(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);

    TensorInput input;
    const LabSettings kept = context.settings.lab();
    if (!kept.shape.isNull()) input = {kept.shape, kept.steps, Dtype::Fp32, kept.device, kept.bus};
    if (const auto dtype = dtypeFromName(kept.dtype.toStdString())) input.dtype = *dtype;
    if (m_device->findData(input.device) < 0) {
        const auto usual = HardwareDatabase::builtIn().find("H100 SXM");
        input.device = usual.has_value() ? QString::fromStdString((*usual).id) : QString();
    }
    apply(stateOf(input).valid() ? input : TensorInput{.device = input.device});
    connect(&context.view.workbench, &Workbench::sceneChanged, this, [this] {
        if (isVisible()) showState(stateOf(m_input));
    });
}

TensorPage::~TensorPage() { silenceFocus(*this); }

TensorState TensorPage::stateOf(const TensorInput& input) const {
    const Machine& machine = m_context.view.workbench.scene()->whatIf.machine();
    Machine host;
    host.name = "this computer";
    if (machine.backend == "cpu") host = machine;
    return makeTensorState(input, host, m_gpus);
}

TensorInput TensorPage::typed() const {
    return {m_shape->text().trimmed(), m_steps->text().trimmed(),
            static_cast<Dtype>(m_dtype->currentData().toInt()), m_device->currentData().toString(),
            m_bus->currentData().toString()};
}

void TensorPage::typing() { showState(stateOf(typed())); }

void TensorPage::commit() {
    const TensorInput input = typed();
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
    m_shape->setText(input.shape);
    m_steps->setText(input.steps);
    m_dtype->setCurrentIndex(m_dtype->findData(static_cast<int>(input.dtype)));
    m_device->setCurrentIndex(std::max(0, m_device->findData(input.device)));
    m_bus->setCurrentIndex(std::max(0, m_bus->findData(input.bus)));
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
    m_error->setText(state.shapeError.isEmpty() ? state.stepsError : state.shapeError);
    m_error->setVisible(!state.valid());
    m_split->setEnabled(state.valid());
    if (!state.valid()) return;  // what is shown stays, greyed, beside the sentence
    const int before = currentRow();
    const bool atEnd = before < 0 || before >= static_cast<int>(m_state.rows.size()) - 1;
    m_state = std::move(state);
    m_model->setState(m_state);
    const int last = static_cast<int>(m_state.rows.size()) - 1;
    m_table->setCurrentIndex(m_model->index(atEnd ? last : std::min(before, last), 0));
    const auto failed =
        std::ranges::find_if(m_state.rows, [](const TensorRow& row) { return !row.failure.isEmpty(); });
    m_failure->setVisible(failed != m_state.rows.end());
    if (failed != m_state.rows.end())
        m_failure->setText(QStringLiteral("%1: %2").arg(failed->step, failed->toolTip));
    m_summary->setText(m_state.summary);
    showTensor();
}

int TensorPage::currentRow() const { return m_table->currentIndex().row(); }

void TensorPage::showTensor() {
    const int row = currentRow();
    const int steps = static_cast<int>(m_state.rows.size()) - 1;
    m_up->setEnabled(row > 1);
    m_down->setEnabled(row > 0 && row < steps);
    m_remove->setEnabled(row > 0);
    if (m_state.rows.empty()) return;
    m_picture->showTensor(m_state.layout(row), m_state.name(row));
    m_leftOut->setText(m_picture->leftOut());
    m_leftOut->setVisible(!m_picture->leftOut().isEmpty());
}

void TensorPage::showAddress(const std::vector<std::int64_t>& indices, qint64 position) {
    const lab::TensorLayout& layout = m_state.layout(currentRow());
    if (indices.size() != layout.rank()) {
        m_address->showText(
            tr("place %1 of the storage: no drawn element of this tensor lies there").arg(position),
            ColorRole::TextMuted);
        return;
    }
    const auto address = lab::addressOf(layout, indices, m_state.dtype);
    if (!address.has_value()) return m_address->showText({});
    QStringList numbers;
    for (const std::int64_t index : indices) numbers << QString::number(index);
    const auto positions = lab::storagePositions(layout, 1U << 16U);
    const auto here = std::ranges::count(positions, static_cast<std::int64_t>(position));
    QString text = tr("element [%1]: %2")
                       .arg(numbers.join(QStringLiteral(", ")), QString::fromStdString((*address).formula));
    if (here > 1) text += tr("   (%1 elements lie here)").arg(static_cast<qint64>(here));
    m_address->showText(text, ColorRole::Text);
    m_address->setToolTip(
        tr("offset + Σ index · stride, in elements; times the size of an element, in bytes"));
    m_picture->setAccessibleDescription(text);
}

void TensorPage::editStep(int row, const QString& text) {
    if (row < 1 || row > static_cast<int>(m_state.steps.size())) return;
    auto parsed = lab::parseSteps(text.toStdString());
    if (!parsed.has_value()) {
        m_error->setText(QString::fromStdString(parsed.error().text()));
        m_error->setVisible(true);
        return;
    }
    std::vector<lab::LayoutStep> steps = m_state.steps;
    const auto at = steps.erase(steps.begin() + (row - 1));
    steps.insert(at, (*parsed).begin(), (*parsed).end());
    TensorInput input = m_input;
    input.steps = joinSteps(steps);
    change(input, tr("step"));
}

void TensorPage::addStep(const QString& text) {
    // After the marked one, which is the last unless the user chose another.
    std::vector<lab::LayoutStep> steps = m_state.steps;
    auto parsed = lab::parseSteps(text.toStdString());
    if (!parsed.has_value()) return;
    const int row = std::clamp(currentRow(), 0, static_cast<int>(steps.size()));
    steps.insert(steps.begin() + row, (*parsed).begin(), (*parsed).end());
    TensorInput input = m_input;
    input.steps = joinSteps(steps);
    change(input, tr("step"));
    m_table->setCurrentIndex(m_model->index(row + 1, 0));
}

void TensorPage::removeStep() {
    const int row = currentRow();
    if (row < 1 || row > static_cast<int>(m_state.steps.size())) return;
    std::vector<lab::LayoutStep> steps = m_state.steps;
    steps.erase(steps.begin() + (row - 1));
    TensorInput input = m_input;
    input.steps = joinSteps(steps);
    change(input, tr("step"));
}

void TensorPage::moveStep(int by) {
    const int row = currentRow();
    const int other = row + by;
    if (row < 1 || other < 1 || std::max(row, other) > static_cast<int>(m_state.steps.size())) return;
    std::vector<lab::LayoutStep> steps = m_state.steps;
    std::swap(steps[static_cast<std::size_t>(row - 1)], steps[static_cast<std::size_t>(other - 1)]);
    TensorInput input = m_input;
    input.steps = joinSteps(steps);
    change(input, tr("step"));
    m_table->setCurrentIndex(m_model->index(other, 0));
}

bool TensorPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool alt = key->modifiers().testFlag(Qt::AltModifier);
        if (key->key() == Qt::Key_Delete) return removeStep(), true;
        if (alt && key->key() == Qt::Key_Up) return moveStep(-1), true;
        if (alt && key->key() == Qt::Key_Down) return moveStep(1), true;
    }
    return QWidget::eventFilter(watched, event);
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
