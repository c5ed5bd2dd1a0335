// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/welcome.h"

#include "ui/settings/samples.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/file_actions.h"
#include "ui/shell/preset_actions.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/shell/work_progress.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/screen_room.h"
#include "ui/widgets/slider_row.h"
#include "ui/widgets/tone_label.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kWidth = 600;
constexpr int kWayWidth = 160;
constexpr qsizetype kMostFiles = 4;
constexpr int kLargerTitle = 6;

constexpr int kProgressHeight = 8;

/// As large as what is in it, and scrolled where the screen has less room: what has the focus stays in sight.
class WelcomePage final : public QScrollArea {
public:
    explicit WelcomePage(QWidget* parent) : QScrollArea(parent) {
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setWidgetResizable(true);
        viewport()->setAutoFillBackground(false);
        auto* content = new QWidget(this);
        content->setAutoFillBackground(false);
        setWidget(content);
    }

    [[nodiscard]] QSize sizeHint() const override {
        const int width = std::max(widget()->sizeHint().width(), viewport()->width());
        return {width, std::max(widget()->heightForWidth(width), widget()->minimumSizeHint().height())};
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
                QScrollArea::minimumSizeHint().height()};
    }
};

bool isCalibrating(const Session& session) {
    return session.controller.work().engineState() == protocol::EngineState::Calibrating;
}

}  // namespace

WelcomeDialog::WelcomeDialog(const WelcomeScope& scope) : QDialog(&scope.window), m_scope(scope) {
    setObjectName(QStringLiteral("welcome"));
    setWindowTitle(tr("Welcome"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(scaled(24), scaled(20), scaled(24), scaled(16));
    outer->setSpacing(scaled(12));
    m_page = new WelcomePage(this);
    outer->addWidget(m_page, 1);
    auto* layout = new QVBoxLayout(m_page->widget());
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(scaled(12));
    auto* title = new ToneLabel(scope.theme, ColorRole::TextStrong, this);
    title->setStrong(kLargerTitle);
    title->setText(tr("Welcome to Plumbline"));
    layout->addWidget(title);
    auto* says = new QLabel(tr("See what a training step costs before it runs, run it, and see what it "
                               "really cost."),
                            this);
    says->setWordWrap(true);
    layout->addWidget(says);
    layout->addSpacing(scaled(6));
    buildWays(*layout);
    buildFiles(*layout);
    layout->addStretch(1);
    auto* later = new QLabel(tr("All of this can be had later too: Help > Welcome."), this);
    later->setWordWrap(true);
    followColor(later, scope.theme, ColorRole::TextMuted);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* foot = new QHBoxLayout;
    foot->addWidget(later, 1);
    foot->addWidget(buttons);
    outer->addLayout(foot);
    connect(&scope.session.controller, &RunController::changed, this, &WelcomeDialog::follow);
    connect(&scope.progress, &WorkProgress::changed, this, &WelcomeDialog::follow);
    follow();
    setMinimumWidth(std::max(minimumSizeHint().width(), std::min(scaled(kWidth), screenRoom(*this).width())));
    resize(width(), 0);
    grow();
    m_run->setFocus();
}

void WelcomeDialog::buildWays(QBoxLayout& layout) {
    m_run = addWay(layout, tr("&Run the example"), "welcomeRun", QString(), [this] { runExample(); });
    m_run->setProperty(kPrimaryButton, true);
    m_run->setDefault(true);
    m_runSays = findChild<QLabel*>(QStringLiteral("welcomeRunSays"));
    m_calibrate = addWay(layout, tr("&Calibrate"), "welcomeCalibrate", QString(),
                         [this] { m_scope.session.controller.calibrate(); });
    m_calibrateSays = findChild<QLabel*>(QStringLiteral("welcomeCalibrateSays"));
    m_bar = new QProgressBar(this);
    m_bar->setObjectName(QStringLiteral("welcomeProgress"));
    m_bar->setAccessibleName(tr("Progress of the calibration"));
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(scaled(kProgressHeight));
    m_cancel = new QPushButton(tr("Ca&ncel"), this);
    m_cancel->setObjectName(QStringLiteral("welcomeCancel"));
    m_cancel->setAutoDefault(false);
    m_cancel->setToolTip(tr("End the calibration; it can be begun again at any time"));
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_scope.session.controller.stop(); });
    auto* row = new QHBoxLayout;
    row->setContentsMargins(scaled(kWayWidth) + scaled(14), 0, 0, 0);
    row->addWidget(m_bar, 1);
    row->addWidget(m_cancel);
    layout.addLayout(row);
    (void)addWay(layout, tr("&Lessons"), "welcomeLessons",
                 tr("Short lessons that use the live program, one idea each."), [this] {
                     m_scope.actions.action(QStringLiteral("help.lessons"))->trigger();
                     close();
                 });
    (void)addWay(layout, tr("&Open a file…"), "welcomeOpen",
                 tr("Snapshots, recorded steps, traces of profilers, memory snapshots and plans."), [this] {
                     m_scope.actions.action(QStringLiteral("file.open"))->trigger();
                     close();
                 });
}

QPushButton* WelcomeDialog::addWay(QBoxLayout& layout, const QString& text, const char* name,
                                   const QString& says, const std::function<void()>& go) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setMinimumWidth(scaled(kWayWidth));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, go);
    auto* label = new QLabel(says, this);
    label->setObjectName(QLatin1String(name) + QStringLiteral("Says"));
    label->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(scaled(14));
    row->addWidget(button);
    row->addWidget(label, 1);
    layout.addLayout(row);
    return button;
}

void WelcomeDialog::buildFiles(QBoxLayout& layout) {
    const auto addLinks = [&](const QString& caption, const char* name, const QList<QStringList>& entries,
                              bool areSamples) {
        if (entries.isEmpty()) return;
        auto* heading = new QLabel(caption, this);
        followColor(heading, m_scope.theme, ColorRole::TextMuted);
        layout.addWidget(heading);
        for (const QStringList& paths : entries.mid(0, kMostFiles)) {
            auto* link = new QPushButton(
                areSamples ? sampleTitle(paths.front()) : QFileInfo(paths.front()).fileName(), this);
            link->setObjectName(QString::fromLatin1(name));
            link->setProperty(kQuietButton, true);
            link->setAutoDefault(false);
            link->setToolTip(paths.join(QLatin1Char('\n')));
            connect(link, &QPushButton::clicked, this, [this, paths] {
                m_scope.files.open(paths);
                close();
            });
            layout.addWidget(link, 0, Qt::AlignLeft);
        }
    };
    QList<QStringList> samples;
    for (const QString& path : sampleFiles()) samples << QStringList{path};
    addLinks(tr("Sample files"), "welcomeSample", samples, true);
    addLinks(tr("Recent files"), "welcomeRecent", m_scope.settings.recentFiles(), false);
}

void WelcomeDialog::runExample() {
    if (!m_runsWhenReady) m_scope.presets.apply(builtInPresets().front());
    m_runsWhenReady = true;
    follow();
}

void WelcomeDialog::follow() {
    RunController& controller = m_scope.session.controller;
    const bool calibrating = isCalibrating(m_scope.session);
    QAction* const run = m_scope.actions.action(QStringLiteral("run.run"));
    if (m_runsWhenReady && run->isEnabled()) {
        m_runsWhenReady = false;
        m_scope.views.goToTab(ViewStack::tabOf(QStringLiteral("overview")));
        run->trigger();
        close();
        return;
    }
    m_run->setEnabled(!m_runsWhenReady && !controller.work().busy());
    m_runSays->setText(m_runsWhenReady ? tr("It begins as soon as the engine is ready.")
                       : controller.work().busy()
                           ? tr("The engine is at work; the example can run after it.")
                           : tr("Trains a small model on this computer: loss, throughput and memory come in "
                                "live."));
    const bool calibrated = controller.devices().calibrated();
    m_calibrate->setEnabled(controller.work().engineReady() && !controller.work().busy());
    m_calibrateSays->setText(
        calibrating && !controller.work().progressText().isEmpty()
            ? capitalised(controller.work().progressText())
        : calibrated
            ? tr("This machine is calibrated: times are predicted from its own ceilings.")
            : tr("Measures the ceilings of this machine once, in about three minutes, so that times can be "
                 "predicted."));
    m_scope.progress.showOn(*m_bar);
    m_bar->setVisible(calibrating);
    m_cancel->setVisible(calibrating);
    if (isVisible()) grow();
}

void WelcomeDialog::grow() {
    m_page->widget()->layout()->activate();
    const QSize wanted = layout()->totalSizeHint().expandedTo(size());
    resize(wanted.boundedTo(screenRoom(*this)));
}

WelcomeActions::WelcomeActions(const WelcomeScope& scope) : QObject(&scope.window), m_scope(scope) {
    scope.actions.add({QStringLiteral("help.welcome"),
                       tr("&Welcome"),
                       tr("Run the example, calibrate, learn, or open a sample"),
                       {}},
                      [this] { open(); });
}

void WelcomeActions::open() {
    if (m_dialog) return m_dialog->activateWindow();
    m_dialog = new WelcomeDialog(m_scope);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->show();
}

}  // namespace plumb::ui
