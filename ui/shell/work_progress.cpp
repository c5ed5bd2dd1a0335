// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/work_progress.h"

#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/widgets/banner.h"

#include <QProgressBar>

#include <utility>
#include <variant>

namespace plumb::ui {

WorkProgress::WorkProgress(Session& session, QObject* parent) : QObject(parent) {
    connect(&session.engine, &EngineClient::eventArrived, this, [this](const EngineClient::EventPtr& event) {
        if (const auto* progress = std::get_if<protocol::Progress>(&event->body))
            set(progress->done, progress->total);
    });
    connect(&session.controller, &RunController::changed, this, [this, &session] {
        if (!session.controller.work().busy()) set(0, 0);
    });
}

void WorkProgress::showOn(QProgressBar& bar) const {
    // A bar has whole numbers: thousandths say as much as its pixels show.
    constexpr int kParts = 1000;
    bar.setRange(0, m_total > 0 ? kParts : 0);
    if (m_total > 0)
        bar.setValue(static_cast<int>(static_cast<double>(m_done) / static_cast<double>(m_total) * kParts));
}

void WorkProgress::set(std::int64_t done, std::int64_t total) {
    if (m_done == done && m_total == total) return;
    m_done = done;
    m_total = total;
    emit changed();
}

CalibrationNotice::CalibrationNotice(Session& session, ViewStack& views, Banner& banner, QObject* parent)
    : QObject(parent) {
    const auto say = [&views, &banner](const EngineClient::EventPtr& event) {
        const auto* const calibrated = std::get_if<protocol::Calibrated>(&event->body);
        if (calibrated == nullptr) return;
        banner.showMessage(Banner::Kind::Notice,
                           tr("%1 is calibrated: predicted times now use its own ceilings.")
                               .arg(deviceText(calibrated->machine)),
                           tr("Show the ceilings"),
                           [&views] { views.goToTab(ViewStack::tabOf(QStringLiteral("roofline"))); });
    };
    connect(&session.engine, &EngineClient::eventArrived, this,
            [this, &session, &banner](const EngineClient::EventPtr& event) {
                // What ends it has ended it here already.
                const bool calibrated = std::exchange(m_calibrates, session.controller.work().engineState() ==
                                                                        protocol::EngineState::Calibrating);
                const auto* const finished = std::get_if<protocol::Finished>(&event->body);
                if (calibrated && finished != nullptr && finished->outcome == "stopped")
                    banner.showMessage(Banner::Kind::Notice,
                                       tr("The calibration was stopped: what was known before stays."));
            });
    // Later, when it is in force.
    connect(&session.engine, &EngineClient::eventArrived, this, say, Qt::QueuedConnection);
}

}  // namespace plumb::ui
