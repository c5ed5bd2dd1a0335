// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_detail.h"

#include "core/base/entry_at.h"
#include "ui/charts/chart_panel.h"
#include "ui/planner/evidence_spread.h"
#include "ui/planner/evidence_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"

#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace plumb::ui {

EvidenceDetail::EvidenceDetail(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QObject(parent),
      m_theme(theme),
      m_model(model),
      m_card(new Card(theme, tr("The training"), parent)),
      m_text(new QLabel) {
    m_card->setContentMargins(16, 2, 12, 10);
    m_plan = m_card->addHeaderButton(tr("Plan with it"), QStringLiteral("evidencePlan"),
                                     tr("Puts the training into the planner, as one step to undo (Enter)"));
    m_plan->setAccessibleName(m_plan->toolTip());
    m_text->setObjectName(QStringLiteral("evidenceDetail"));
    m_text->setAccessibleName(m_card->title());
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_text->setOpenExternalLinks(true);
    auto* scroll = new QScrollArea(m_card);
    scroll->setObjectName(QStringLiteral("evidenceDetailScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_text);
    scroll->viewport()->setAutoFillBackground(false);
    m_text->setAutoFillBackground(false);  // setWidget() turns it on
    auto* content = new QWidget(m_card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(scroll, 1);
    m_spread = new EvidenceSpread(theme, model, content);
    column->addWidget(m_spread->chart(), 1);
    m_card->setContent(content);
    connect(m_plan, &QPushButton::clicked, this, [this] {
        if (m_model.selected()) emit planWanted(*m_model.selected());
    });
    connect(&model, &EvidenceModel::selectionChanged, this, &EvidenceDetail::show);
    connect(&model, &EvidenceModel::filtered, this, &EvidenceDetail::show);
    connect(&theme, &Theme::changed, this, &EvidenceDetail::show);
}

QString EvidenceDetail::html(const planner::ValidatedRow& row) const {
    const auto color = [&](ColorRole role) { return m_theme.color(role).name(); };
    const planner::EvidenceSource& source = m_model.evidence().sources[row.row->source];
    QString text = QStringLiteral("<p style='margin:0'><a style='color:%1' href='%2'>%3</a></p>"
                                  "<p style='margin:2px 0 8px 0;color:%4'>%5</p>"
                                  "<table cellspacing='0' cellpadding='0'>")
                       .arg(color(ColorRole::Accent), toText(source.address).toHtmlEscaped(),
                            toText(source.title).toHtmlEscaped(), color(ColorRole::TextMuted),
                            toText(source.organisation).toHtmlEscaped());
    for (const EvidenceFact& fact : evidenceFacts(m_model, row)) {
        using Tone = EvidenceFact::Tone;
        const ColorRole role = fact.tone == Tone::Strong    ? ColorRole::TextStrong
                               : fact.tone == Tone::Muted   ? ColorRole::TextMuted
                               : fact.tone == Tone::Warning ? ColorRole::Warning
                                                            : ColorRole::Text;
        const QString above = fact.begins ? QStringLiteral("10px") : QStringLiteral("2px");
        text +=
            QStringLiteral("<tr><td style='color:%1;padding:%6 12px 2px 0'>%2</td>"
                           "<td style='color:%3;padding:%6 0 2px 0;font-weight:%4'>%5</td></tr>")
                .arg(color(ColorRole::TextMuted),
                     QString(fact.name.toHtmlEscaped()).replace(QLatin1Char(' '), QStringLiteral("&nbsp;")),
                     color(role), fact.tone == Tone::Strong ? QStringLiteral("600") : QStringLiteral("400"),
                     fact.text.toHtmlEscaped(), above);
    }
    return text + QStringLiteral("</table>");
}

QString EvidenceDetail::introduction() const {
    const auto color = [&](ColorRole role) { return m_theme.color(role).name(); };
    QString text =
        QStringLiteral("<p style='margin:0 0 8px 0'>%1</p><p style='margin:0 0 8px 0;color:%2'>%3</p>")
            .arg(tr("Each dot is a training that others measured and published, beside what the planner says "
                    "of it. Click a dot or a row for all that is known of it; Enter plans with it."),
                 color(ColorRole::TextMuted),
                 tr("Priors were fitted on the sources of filled dots. Nothing was ever fitted on hollow "
                    "ones: "
                    "how far off those are is how far off a plan of yours may be."));
    // Most frequent first.
    std::map<QString, int> reasons;
    for (const int index : m_model.shown()) {
        const QString why = evidenceProblem(entryAt(m_model.rows(), index), m_model.filter().figure);
        if (!why.isEmpty()) ++reasons[why];
    }
    if (reasons.empty()) return text;
    std::vector<std::pair<QString, int>> sorted(reasons.begin(), reasons.end());
    std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<QString, int>::second);
    text += QStringLiteral("<p style='margin:0 0 4px 0'><b>%1</b></p><table cellspacing='0' cellpadding='0'>")
                .arg(tr("Without a prediction"));
    for (const auto& [why, count] : sorted)
        text += QStringLiteral("<tr><td style='padding:2px 12px 2px 0' align='right'>%1</td>"
                               "<td style='padding:2px 0;color:%2'>%3</td></tr>")
                    .arg(count)
                    .arg(color(ColorRole::TextMuted), why.toHtmlEscaped());
    return text + QStringLiteral("</table>");
}

void EvidenceDetail::show() {
    const auto selected = m_model.selected();
    m_plan->setVisible(selected.has_value());
    m_spread->chart()->setVisible(!selected);
    if (!selected) {
        m_card->setTitle(tr("How to read it"));
        m_card->setSubtitle({});
        m_text->setText(introduction());
        return;
    }
    const planner::ValidatedRow& row = entryAt(m_model.rows(), *selected);
    m_card->setTitle(evidenceTitle(row));
    m_card->setSubtitle(m_model.fits(row) ? tr("fitted") : tr("validated only"));
    m_text->setText(html(row));
}

}  // namespace plumb::ui
