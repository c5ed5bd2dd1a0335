// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/finding_notice.h"

#include "ui/findings/findings_model.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/widgets/banner.h"

#include <algorithm>

namespace plumb::ui {

FindingNotice::FindingNotice(Session& session, ViewStack& views, Banner& banner, QObject* parent)
    : QObject(parent), m_session(session), m_views(views), m_banner(banner) {
    // Later, when what else the end of a profile or an opened file has to say was said.
    connect(&session.controller.work().results(), &JobResults::profiled, this, &FindingNotice::say,
            Qt::QueuedConnection);
    connect(&session.document, &Document::opened, this, &FindingNotice::say, Qt::QueuedConnection);
}

void FindingNotice::say() {
    const int tab = ViewStack::tabOf(QStringLiteral("findings"));
    if (m_session.workbench.recording() != nullptr) return;  // its panel shows them
    if (!m_banner.isHidden() || m_session.controller.work().busy() || m_views.currentTab() == tab) return;
    const Findings findings = shownFindings(m_session.workbench);
    const auto count = static_cast<int>(findings.found.size());
    if (count == 0) return;
    const auto serious =
        static_cast<int>(std::ranges::count(findings.found, Severity::Serious, &Finding::severity));
    const QString all =
        count == 1 ? tr("1 finding.") : tr("%1 findings, %2 of them serious.").arg(count).arg(serious);
    m_banner.showMessage(Banner::Kind::Notice, all, tr("Show findings"),
                         [this, tab] { m_views.goToTab(tab); });
}

}  // namespace plumb::ui
