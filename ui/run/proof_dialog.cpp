// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/proof_dialog.h"

#include "core/base/quantity.h"
#include "core/base/typed_number.h"
#include "core/measure/reading.h"
#include "ui/theme/error_text.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/slider_row.h"

#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace plumb::ui {

namespace {

constexpr int kDialogWidth = 520;
constexpr int kDialogSide = 20;
constexpr int kParts = 1000;  ///< of the progress bar

QLabel* cell(const QString& text, QWidget* parent, Qt::Alignment alignment) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(alignment | Qt::AlignTop);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->show();  // before the next event: the dialog asks at once how much room the table needs
    return label;
}

}  // namespace

void ProofDialog::ask(Theme& theme, Workbench& workbench, RunController& controller, QWidget* window) {
    auto* dialog = new ProofDialog(theme, workbench, controller, window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

ProofDialog::ProofDialog(Theme& theme, Workbench& workbench, RunController& controller, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_workbench(workbench), m_controller(controller) {
    setObjectName(QStringLiteral("proofDialog"));
    setWindowTitle(tr("Prove the largest batch"));
    setMinimumWidth(scaled(kDialogWidth));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kDialogSide, kDialogSide, kDialogSide, kDialogSide);
    column->setSpacing(12);
    QLabel* about = addLine("proofAbout", ColorRole::TextMuted);
    about->setText(
        tr("One step of the largest batch that is predicted to fit is run, and one of the next, which "
           "must not fit. Meanwhile the engine's allocator gives out no more than the limit."));
    buildForm();
    buildResult();
    buildButtons();
    connect(&controller.prover(), &FitProver::changed, this, &ProofDialog::refresh);
    connect(&workbench, &Workbench::sceneChanged, this, [this] {
        predict();
        refresh();
    });
    connect(m_limit, &QLineEdit::textChanged, this, &ProofDialog::predict);
    predict();
    refresh();
}

QLabel* ProofDialog::addLine(const char* name, ColorRole role) {
    auto* line = new QLabel(this);
    line->setObjectName(QString::fromLatin1(name));
    line->setTextFormat(Qt::PlainText);
    line->setWordWrap(true);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    followColor(line, m_theme, role);
    layout()->addWidget(line);
    return line;
}

void ProofDialog::buildForm() {
    auto* form = new QFormLayout;
    m_limit = new QLineEdit(this);
    m_limit->setObjectName(QStringLiteral("proofLimit"));
    m_limit->setAccessibleName(tr("Memory limit"));
    const auto memory = m_workbench.session()->whatIf.machine().memoryBytes;
    m_limit->setPlaceholderText(memory ? tr("all of the device: %1").arg(bytesText(*memory))
                                       : tr("such as %1").arg(QStringLiteral("8 GB")));
    m_limit->setToolTip(
        tr("Empty: all that the device has, as far as it is safely free. A smaller one is tried faster and "
           "proves the same arithmetic."));
    form->addRow(tr("Memory limit"), m_limit);
    qobject_cast<QVBoxLayout*>(layout())->addLayout(form);
    m_batches = addLine("proofBatches", ColorRole::Text);
    m_whyNot = addLine("proofWhyNot", ColorRole::Bad);
}

void ProofDialog::buildResult() {
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("proofProgress"));
    m_progress->setAccessibleName(tr("How far the proof is"));
    m_progress->setRange(0, kParts);
    layout()->addWidget(m_progress);
    m_verdict = addLine("proofVerdict", ColorRole::Text);
    QFont bold = m_verdict->font();
    bold.setWeight(QFont::DemiBold);
    m_verdict->setFont(bold);
    m_trials = new QWidget(this);
    m_trials->setObjectName(QStringLiteral("proofTrials"));
    m_grid = new QGridLayout(m_trials);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(16);
    m_grid->setColumnStretch(3, 1);
    layout()->addWidget(m_trials);
    m_enforced = addLine("proofEnforced", ColorRole::TextMuted);
}

void ProofDialog::buildButtons() {
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    const auto add = [&](const QString& text, const char* name) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QString::fromLatin1(name));
        button->setAutoDefault(false);
        row->addWidget(button);
        return button;
    };
    m_cancel = add(tr("Cancel the proof"), "proofCancel");
    m_close = add(tr("Close"), "proofClose");
    m_prove = add(tr("Prove it"), "proofStart");
    m_prove->setProperty(kPrimaryButton, true);
    m_prove->setDefault(true);
    connect(m_prove, &QPushButton::clicked, this, &ProofDialog::prove);
    connect(m_cancel, &QPushButton::clicked, &m_controller, &RunController::stop);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    qobject_cast<QVBoxLayout*>(layout())->addLayout(row);
}

Result<Bytes> ProofDialog::typedLimit() const {
    const auto read = [](const std::string& plain) { return parseQuantity(plain, "B"); };
    PLUMB_TRY(const std::string plain,
              oneNumber(m_limit->text().trimmed().toStdString(),
                        [&](const std::string& one) { return read(one).has_value(); }));
    if (const auto size = read(plain); size.has_value() && *size >= 1 && *size <= 9e18)
        return static_cast<Bytes>(*size);
    return badInput(tr("“%1” is no size").arg(m_limit->text().trimmed()).toStdString(),
                    tr("write it as %1").arg(QStringLiteral("8 GB")).toStdString());
}

std::optional<Bytes> ProofDialog::limit() const {
    if (m_limit->text().trimmed().isEmpty()) return m_workbench.session()->whatIf.machine().memoryBytes;
    const Result<Bytes> typed = typedLimit();
    return typed.has_value() ? std::optional(*typed) : std::nullopt;
}

void ProofDialog::prove() {
    if (!m_prove->isEnabled()) return;
    const bool isTyped = !m_limit->text().trimmed().isEmpty();
    m_controller.prover().start(isTyped ? limit() : std::nullopt);
}

void ProofDialog::predict() {
    const ScenePtr scene = m_workbench.session();
    const bool isTyped = !m_limit->text().trimmed().isEmpty();
    const std::optional<Bytes> most = limit();
    if (!most) {
        m_job.cancel();
        m_batches->setText(isTyped ? errorSentence(typedLimit().error())
                                   : tr("How much memory this device has is not known: give a limit."));
        refresh();
        return;
    }
    m_job.run(
        [config = scene->config(), traits = m_workbench.traits(), total = *most] {
            const std::int64_t largest = largestBatchThatFits(config, traits, total);
            return std::pair(largest, nextFitBatch(config, traits, largest));
        },
        [this](std::pair<std::int64_t, std::int64_t> batches) {
            showBatches(batches.first, batches.second);
        });
    refresh();
}

void ProofDialog::showBatches(std::int64_t most, std::int64_t next) {
    m_batches->setText(
        most == 0
            ? tr("Predicted: not even the smallest batch fits.")
            : tr("Predicted: batch %1 fits, and batch %2 does not.").arg(countText(most), countText(next)));
}

void ProofDialog::refresh() {
    const FitProver& prover = m_controller.prover();
    const bool running = prover.running();
    const QString whyNot = running ? QString() : prover.whyNot();
    m_whyNot->setText(whyNot);
    m_whyNot->setVisible(!whyNot.isEmpty());
    m_prove->setEnabled(!running && whyNot.isEmpty() && limit().has_value());
    m_cancel->setVisible(running);
    m_limit->setEnabled(!running);
    // What had the keyboard is disabled or hidden now, and Qt would hand it on without a mark.
    if (std::exchange(m_wasRunning, running) != running)
        (running ? m_cancel : m_prove->isEnabled() ? m_prove : m_close)->setFocus(Qt::TabFocusReason);
    m_progress->setVisible(running);
    m_progress->setValue(static_cast<int>(prover.share() * kParts));
    showProof();
    // What came of it needs room of its own; what is narrower by hand stays so.
    m_grid->activate();  // a layout within a layout is asked at its next event only
    layout()->invalidate();
    layout()->activate();
    if (const int least = layout()->totalHeightForWidth(width()); height() < least) resize(width(), least);
}

void ProofDialog::showProof() {
    const FitProof* proof = m_controller.prover().running() ? nullptr : m_controller.prover().current();
    for (QWidget* widget : {static_cast<QWidget*>(m_verdict), m_trials, static_cast<QWidget*>(m_enforced)})
        widget->setVisible(proof != nullptr);
    if (proof == nullptr) return;
    m_verdict->setText(verdictSentence(*proof));
    m_enforced->setText(limitSentence(*proof));
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int column = 0;
    for (const QString& title : {tr("Batch"), tr("Predicted"), tr("Measured"), tr("Outcome")}) {
        QLabel* heading = cell(title, m_trials, column < 3 ? Qt::AlignRight : Qt::AlignLeft);
        followColor(heading, m_theme, ColorRole::TextMuted);
        m_grid->addWidget(heading, 0, column++);
    }
    showTrial(1, proof->fits);
    showTrial(2, proof->tooLarge);
}

void ProofDialog::showTrial(int row, const FitTrial& trial) {
    const QString none = QStringLiteral("–");
    m_grid->addWidget(cell(countText(trial.batch), m_trials, Qt::AlignRight), row, 0);
    m_grid->addWidget(cell(bytesText(trial.predictedBytes), m_trials, Qt::AlignRight), row, 1);
    m_grid->addWidget(
        cell(trial.measuredBytes ? bytesText(*trial.measuredBytes) : none, m_trials, Qt::AlignRight), row, 2);
    QLabel* outcome = cell(outcomeText(trial), m_trials, Qt::AlignLeft);
    outcome->setWordWrap(true);
    m_grid->addWidget(outcome, row, 3);
}

}  // namespace plumb::ui
