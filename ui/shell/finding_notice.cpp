// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/finding_notice.h"

#include "ui/findings/findings_model.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/widgets/banner.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace plumb::ui {
namespace {

constexpr const char* kFindings = "findings";
constexpr int kNoneBefore = -1;

}  // namespace

FindingNotice::FindingNotice(Session& session, ViewStack& views, Banner& banner,
                             std::function<bool()> showsFindings, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_views(views),
      m_banner(banner),
      m_showsFindings(std::move(showsFindings)) {
    connect(&session.controller.work().results(), &JobResults::profiled, this, [this] {
        if (m_saidBefore == kNoneBefore) m_saidBefore = m_banner.count();
    });
    // The reading comes while the engine is still at work, its end at any time later.
    connect(&session.controller.work(), &EngineWork::finished, this, &FindingNotice::sayProfiled,
            Qt::QueuedConnection);
    connect(&session.engine, &EngineClient::stateChanged, this, [this](EngineClient::State state) {
        if (state == EngineClient::State::Off) m_saidBefore = kNoneBefore;  // that profile has no end
    });
    // Who is there need not be led there.
    connect(&views, &ViewStack::tabShown, this, [this](int tab) {
        if (m_leadsTo == std::pair(tab, m_banner.count())) m_banner.hide();
    });
    // Later, when what else an opened file has to say was said.
    connect(&session.document, &Document::opened, this, &FindingNotice::sayOpened, Qt::QueuedConnection);
}

bool FindingNotice::isSilent(int saidBefore) const {
    if (m_showsFindings() || m_session.controller.work().busy()) return true;
    const bool isOld = m_banner.kind() == Banner::Kind::Notice && m_banner.count() <= saidBefore;
    return !m_banner.isHidden() && !isOld;
}

void FindingNotice::show(const QString& text, const char* view, const QString& link) {
    const int tab = ViewStack::tabOf(QLatin1String(view));
    m_banner.showMessage(Banner::Kind::Notice, text, link, [this, tab] { m_views.goToTab(tab); });
    m_leadsTo = {tab, m_banner.count()};
}

void FindingNotice::count(int saidBefore, std::function<void(const Noticed&)> say) {
    m_counter.run(
        [shown = shownStep(m_session.workbench)] {
            const Findings findings = findingsOf(shown);
            return Noticed{
                static_cast<int>(findings.found.size()),
                static_cast<int>(std::ranges::count(findings.found, Severity::Serious, &Finding::severity))};
        },
        [this, scene = m_session.workbench.scene(), saidBefore,
         say = std::move(say)](const Noticed& noticed) {
            if (isSilent(saidBefore)) return;
            // Those of a scene that is gone are nobody's; what was done is said all the same.
            say(m_session.workbench.scene() == scene ? noticed : Noticed());
        });
}

void FindingNotice::sayOpened() {
    if (isSilent(kNoneBefore)) return;
    count(kNoneBefore, [this](const Noticed& noticed) {
        if (noticed.all == 0 || m_views.currentTab() == ViewStack::tabOf(QLatin1String(kFindings))) return;
        show(noticed.all == 1 ? tr("1 finding.")
                              : tr("%1 findings, %2 of them serious.").arg(noticed.all).arg(noticed.serious),
             kFindings, tr("Show findings"));
    });
}

void FindingNotice::sayProfiled() {
    const int saidBefore = std::exchange(m_saidBefore, kNoneBefore);
    const ScenePtr scene = m_session.workbench.scene();
    if (saidBefore == kNoneBefore || isSilent(saidBefore) || !scene->measured) return;
    const std::optional<Seconds> seconds = scene->measured->reading->totals.seconds;
    const QString took = seconds ? quantityText(*seconds, "s") : QStringLiteral("–");
    count(saidBefore, [this, took](const Noticed& noticed) {
        const bool leadsOn =
            noticed.all > 0 && m_views.currentTab() != ViewStack::tabOf(QLatin1String(kFindings));
        const QString text = noticed.all == 0 ? tr("Profiled: a step takes %1.").arg(took)
                             : noticed.all == 1
                                 ? tr("Profiled: a step takes %1. 1 finding.").arg(took)
                                 : tr("Profiled: a step takes %1. %2 findings, %3 of them serious.")
                                       .arg(took)
                                       .arg(noticed.all)
                                       .arg(noticed.serious);
        if (leadsOn)
            show(text, kFindings, tr("Show findings"));
        else
            show(text, "operations", tr("Show operations"));
    });
}

}  // namespace plumb::ui
