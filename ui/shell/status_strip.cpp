// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_strip.h"

#include "core/machine/calibration_file.h"
#include "ui/shell/work_progress.h"
#include "ui/theme/error_text.h"
#include "ui/theme/house_style.h"
#include "ui/theme/list_text.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/slider_row.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/workbench.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

constexpr int kStripHeight = 28;
constexpr int kButtonHeight = 22;
constexpr int kBarWidth = 110;
constexpr int kBarThickness = 6;
constexpr int kStripLeft = 20, kStripRight = 12, kBetweenTexts = 16;

QString engineText(const RunController& controller) {
    using protocol::EngineState;
    if (!controller.work().engineReady()) return controller.chosen().whyNotRun();
    if (controller.isStopping()) return StatusStrip::tr("Stopping");
    switch (controller.work().engineState()) {
    case EngineState::Idle:
        return StatusStrip::tr("Engine ready");
    case EngineState::Running:
        return StatusStrip::tr("Running");
    case EngineState::Paused:
        return StatusStrip::tr("Paused");
    case EngineState::Profiling:
        return StatusStrip::tr("Profiling");
    case EngineState::Calibrating:
        return StatusStrip::tr("Calibrating");
    case EngineState::Timing:
        return StatusStrip::tr("Timing an expression");
    case EngineState::Proving:
        return StatusStrip::tr("Proving the largest batch");
    }
    return {};
}

QString speedText(std::int64_t stepsDone, std::int64_t stepsWanted, double stepsPerSecond) {
    const QString done = groupedDigits(stepsDone);
    QString text = stepsWanted > 0 ? StatusStrip::tr("step %1 of %2").arg(done, groupedDigits(stepsWanted))
                                   : StatusStrip::tr("step %1").arg(done);
    if (stepsPerSecond > 0) text += StatusStrip::tr(" · %1 steps/s").arg(quantityText(stepsPerSecond, ""));
    return text;
}

/// Width of the text, whatever its digits are.
int widthForDigits(const QFontMetrics& metrics, QString text) {
    QChar widest = QLatin1Char('0');
    for (char digit = '1'; digit <= '9'; ++digit)
        if (metrics.horizontalAdvance(QLatin1Char(digit)) > metrics.horizontalAdvance(widest))
            widest = QLatin1Char(digit);
    for (QChar& each : text)
        if (each.isDigit()) each = widest;
    return metrics.horizontalAdvance(text);
}

}  // namespace

StatusStrip::StatusStrip(ViewContext context, RunController& controller, Document& document,
                         WorkProgress& progress, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_controller(controller),
      m_document(document),
      m_progress(progress),
      m_engine(new ToneLabel(context.theme, ColorRole::TextMuted, this)),
      m_speed(new QLabel(this)),
      m_measurement(new QLabel(this)),
      m_prediction(new QLabel(this)),
      m_calibration(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_calibrate(new QPushButton(tr("Calibrate"), this)) {
    setObjectName(QStringLiteral("statusStrip"));
    setFixedHeight(scaled(kStripHeight));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // texts come and go, and would move the window
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kStripLeft, 0, kStripRight, 0);
    layout->setSpacing(kBetweenTexts);
    addLabel(m_engine, "engineState");
    m_engine->setElided();
    // arrange() gives it its width: where a label asks for none, the layout sets the next one onto it.
    m_engine->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_bar->setObjectName(QStringLiteral("engineProgress"));
    m_bar->setAccessibleName(tr("Progress of the engine"));
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(scaled(kBarWidth), scaled(kBarThickness));
    layout->addWidget(m_bar);
    addLabel(m_speed, "speed");
    layout->addStretch(1);
    addLabel(m_measurement, "measurementState");
    addLabel(m_prediction, "predictionState");
    addLabel(m_calibration, "calibrationState");
    m_calibrate->setObjectName(QStringLiteral("calibrateButton"));
    m_calibrate->setProperty(kQuietButton, true);
    m_calibrate->setFixedHeight(scaled(kButtonHeight));
    m_calibrate->setFont(m_calibration->font());
    layout->addWidget(m_calibrate);
    connect(m_calibrate, &QPushButton::clicked, &m_controller, &RunController::calibrate);
    connect(&m_controller, &RunController::changed, this, &StatusStrip::refresh);
    connect(&context.workbench.runs(), &TrainingRuns::changed, this, &StatusStrip::refresh);
    connect(&context.workbench, &Workbench::sceneChanged, this, &StatusStrip::refresh);
    connect(&m_progress, &WorkProgress::changed, this, &StatusStrip::refresh);
    connect(&m_document, &Document::changed, this, &StatusStrip::refresh);
    connect(&context.theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

void StatusStrip::addLabel(QLabel* label, const char* name) {
    label->setObjectName(QString::fromLatin1(name));
    label->setTextFormat(Qt::PlainText);  // files and engines have a say in it
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() - 1);
    label->setFont(font);
    followColor(label, m_context.theme, ColorRole::TextMuted);
    layout()->addWidget(label);
}

/// What was measured by another engine than the built-in one says by which, and what that did not measure.
void StatusStrip::showOtherEngine() {
    const ScenePtr scene = m_context.workbench.scene();
    if (!scene->measured || scene->measured->reading->engine.empty()) return;
    const Reading& reading = *scene->measured->reading;
    const QString number = m_measurement->text();
    m_measurement->setText((number.isEmpty() ? QString() : number + QStringLiteral(" · ")) +
                           toText(reading.engine));
    QStringList about{tr("Measured by %1.").arg(toText(reading.engine))};
    for (const std::string& remark : reading.remarks) about << sentenceText(coreText(remark));
    about << m_measurement->toolTip();
    m_measurement->setToolTip(about.join(QLatin1Char('\n')));
}

// Has room for what the training can come to from its first step on: with a text as wide as its numbers are
// now, the least size of the window would be another one with every frame.
void StatusStrip::showSpeed() {
    const auto run = m_context.workbench.runs().active();
    if (!run) {
        m_speed->clear();
        m_speed->setMinimumWidth(0);
        return;
    }
    constexpr std::int64_t kManySteps = 9'999'999;
    constexpr std::array kWideSpeeds{0.999, 99.9e3};
    m_speed->setText(speedText(run->stepsDone, run->stepsWanted, run->stepsPerSecond));
    const QFontMetrics metrics = m_speed->fontMetrics();
    int width = std::max(m_speed->minimumWidth(), widthForDigits(metrics, m_speed->text()));
    const std::int64_t most = std::max({run->stepsDone, run->stepsWanted, kManySteps});
    for (const double speed : kWideSpeeds)
        width = std::max(width, widthForDigits(metrics, speedText(most, run->stepsWanted, speed)));
    m_speed->setMinimumWidth(width);
}

void StatusStrip::refresh() {
    showTexts();
    arrange();
}

int StatusStrip::widthOfEngine() {
    const int needed = widthForDigits(m_engine->fontMetrics(), m_engine->text());
    m_widestEngine = m_controller.work().progressText().isEmpty() ? 0 : std::max(m_widestEngine, needed);
    return std::max(m_widestEngine, needed);
}

void StatusStrip::arrange() {
    int room = width() - kStripLeft - kStripRight - m_calibrate->sizeHint().width();
    if (!m_bar->isHidden()) room -= m_bar->width() + kBetweenTexts;
    const int engine = widthOfEngine();
    int left = room - engine - kBetweenTexts;
    QStringList hidden;
    for (QLabel* label : {m_speed, m_calibration, m_measurement, m_prediction}) {
        const bool isSaid = !label->text().isEmpty();
        const int needed = kBetweenTexts + std::max(label->minimumWidth(), label->sizeHint().width());
        const bool isShown = isSaid && needed <= left;
        label->setVisible(isShown);
        if (isShown) left -= needed;
        if (isSaid && !isShown) hidden << label->text();
    }
    const int given = std::clamp(room - kBetweenTexts, 0, engine);
    m_engine->setFixedWidth(given);
    m_engine->setToolTip(given < engine ? m_engine->text() : QString());
    setToolTip(hidden.join(QLatin1Char('\n')));
}

void StatusStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void StatusStrip::showTexts() {
    QString engine = m_document.opening() ? tr("Opening a file…") : engineText(m_controller);
    if (!m_controller.work().progressText().isEmpty())
        engine += QStringLiteral(" · ") + m_controller.work().progressText();
    m_engine->setText(engine);
    m_bar->setVisible(m_progress.total() > 0);
    m_progress.showOn(*m_bar);
    showSpeed();
    const Workbench& workbench = m_context.workbench;
    // What was measured and filed of the session says nothing of a recorded step in front of it.
    const bool isRecorded = workbench.recording() != nullptr;
    const auto shown = workbench.shownMeasurement();
    const std::size_t measured = isRecorded ? 0 : workbench.measurements().size();
    m_measurement->setText(shown && measured > 1 ? tr("Measurement %1 of %2").arg(*shown + 1).arg(measured)
                           : measured > 1        ? tr("%1 measurements kept").arg(measured)
                           : measured == 1 && !shown ? tr("1 measurement kept")
                                                     : QString());
    m_measurement->setToolTip(tr("Run, Measurements shows the others; Save keeps all of them."));
    showOtherEngine();
    const FiledPrediction* filed = isRecorded ? nullptr : workbench.filedPrediction();
    const QString program = filed ? filed->program : QString();
    const Totals& totals = m_context.workbench.scene()->whatIf.prediction->totals;
    QStringList made, about;
    // The panel names it, which is folded most of the time.
    if (m_controller.work().engineReady() && m_controller.devices().runnable() == nullptr)
        made << m_controller.devices().current().name();
    if (filed) {
        made << (m_context.workbench.scene()->whatIf.isFiled ? tr("of the file")
                                                             : tr("again, with this version"));
        about
            << tr("The file holds a prediction by %1, which is shown as it was made. Run, Predict again with "
                  "this version shows the difference.")
                   .arg(program);
    }
    // That this machine is calibrated is said beside it.
    const bool isSaid = !filed && totals.tier == Tier::Calibrated && m_controller.devices().calibrated() &&
                        m_controller.devices().place().isEmpty();
    if (totals.seconds && totals.tier && !isSaid) {
        made << tierText(*totals.tier);
        about << capitalised(coreText(tierMeaning(*totals.tier)));
    }
    m_prediction->setText(made.isEmpty() ? QString() : tr("Predicted: %1").arg(listText(made)));
    m_prediction->setToolTip(about.join(QLatin1Char('\n')));
    showCalibration();
}

void StatusStrip::showCalibration() {
    const bool calibrated = m_controller.devices().calibrated();
    const QString host = m_controller.devices().place();
    // An opened file, and a device from its data sheet, bring ceilings of their own.
    const ScenePtr scene = m_context.workbench.scene();
    const bool predicted = scene && scene->whatIf.prediction && scene->whatIf.prediction->totals.seconds;
    m_calibration->setText(host.isEmpty()
                               ? (calibrated  ? tr("This machine is calibrated")
                                  : predicted ? tr("This machine is not calibrated")
                                              : tr("This machine is not calibrated: no predicted times"))
                               : (calibrated  ? tr("%1 is calibrated")
                                  : predicted ? tr("%1 is not calibrated")
                                              : tr("%1 is not calibrated: no predicted times"))
                                     .arg(host));
    m_calibration->setToolTip(m_controller.devices().predictionErrorsText());
    m_calibrate->setToolTip(
        host.isEmpty()
            ? tr("Measure how long this machine takes for what a step does (about three minutes)")
            : tr("Measure how long %1 takes for what a step does (about three minutes)").arg(host));
    // A machine changes: what was measured on it once can be measured again.
    m_calibrate->setText(calibrated ? tr("Calibrate again") : tr("Calibrate"));
    m_calibrate->setEnabled(m_controller.work().engineReady() && !m_controller.work().busy());
}

void StatusStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_context.theme.color(ColorRole::Panel));
    painter.fillRect(0, 0, width(), 1, m_context.theme.color(ColorRole::CardBorder));
}

}  // namespace plumb::ui
