// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_model.h"

#include "core/base/entry_at.h"
#include "ui/planner/evidence_text.h"
#include "ui/planner/planner_inputs.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr std::size_t kBySource = 0;  // place in planner::divisions()

struct Worked {
    std::vector<planner::ValidatedRow> rows;
    QString problem;
};

}  // namespace

bool EvidenceFilter::narrows() const {
    EvidenceFilter open;
    open.figure = figure;
    return !(*this == open);
}

EvidenceModel::EvidenceModel(Source source, QObject* parent) : QObject(parent), m_source(source) {}

EvidenceModel::~EvidenceModel() { m_stop.request_stop(); }

const planner::Evidence& EvidenceModel::evidence() const { return *m_source(); }

bool EvidenceModel::fits(const planner::ValidatedRow& row) const {
    return evidence().sources[row.row->source].fits;
}

void EvidenceModel::start() {
    if (m_state == State::Working || m_state == State::Done) return;
    m_stop = std::stop_source();
    m_state = State::Working;
    m_progress = 0;
    m_runner.run(
        [this, source = m_source, stop = m_stop.get_token()] {
            Worked worked;
            const Result<planner::Evidence>& evidence = source();
            if (!evidence.has_value()) {
                worked.problem = forWindow(evidence.error());
                return worked;
            }
            int last = 0;
            // The runner is waited for before this object goes.
            worked.rows = planner::validateAgainst(*evidence, {}, {}, stop, [&](double share) {
                constexpr double kSteps = 200;
                if (const int now = static_cast<int>(share * kSteps); std::exchange(last, now) == now) return;
                QMetaObject::invokeMethod(
                    this,
                    [this, share, stop] {
                        if (stop.stop_requested() || m_state != State::Working) return;
                        m_progress = share;
                        emit progressed();
                    },
                    Qt::QueuedConnection);
            });
            return worked;
        },
        [this](Worked worked) {
            m_problem = worked.problem;
            m_rows = std::move(worked.rows);
            m_state = m_problem.isEmpty() ? State::Done : State::Failed;
            m_partOf.clear();
            m_searched.clear();
            for (const planner::ValidatedRow& row : m_rows) {
                auto& parts = m_partOf.emplace_back();
                for (std::size_t i = 0; i < parts.size(); ++i)
                    parts.at(i) = toText(planner::divisions()[i].of(evidence(), *row.row));
                m_searched << evidenceSearchText(evidence(), row);
            }
            setFilter(std::exchange(m_filter, {}));
            emit changed();
        });
    emit changed();
}

void EvidenceModel::cancel() {
    if (m_state != State::Working) return;
    m_stop.request_stop();
    m_runner.cancel();
    m_state = State::Stopped;
    emit changed();
}

bool EvidenceModel::lets(int row) const {
    const planner::ValidatedRow& at = entryAt(m_rows, row);
    if (m_filter.figure == planner::Figure::Memory && !at.row->memoryBytes) return false;
    if (m_filter.use != EvidenceFilter::Use::All && (m_filter.use == EvidenceFilter::Use::Fitted) != fits(at))
        return false;
    const auto& parts = entryAt(m_partOf, row);
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!m_filter.parts.at(i).isEmpty() && m_filter.parts.at(i) != parts.at(i)) return false;
    const SearchWords words(m_filter.words);
    return words.isEmpty() || words.areAll(words.in(m_searched[row]));
}

void EvidenceModel::setFilter(const EvidenceFilter& filter) {
    m_filter = filter;
    m_shown.clear();
    m_isShown.assign(m_rows.size(), false);
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        if (lets(row)) {
            m_shown.push_back(row);
            m_isShown[static_cast<std::size_t>(row)] = true;
        }
    if (m_selected && !std::ranges::binary_search(m_shown, *m_selected)) select(std::nullopt);
    emit filtered();
}

int EvidenceModel::withFigure() const {
    return static_cast<int>(std::ranges::count_if(m_rows, [&](const planner::ValidatedRow& row) {
        return m_filter.figure == planner::Figure::Time || row.row->memoryBytes;
    }));
}

QStringList EvidenceModel::partNames(std::size_t division) const {
    QStringList names;
    for (const auto& parts : m_partOf) names << parts.at(division);
    names.removeDuplicates();
    names.sort(Qt::CaseInsensitive);
    return names;
}

EvidencePart EvidenceModel::partOf(const QString& name, std::optional<bool> fits,
                                   std::optional<std::size_t> division) const {
    EvidencePart part{.name = name, .fits = fits, .isWhole = !division, .summary = {}, .without = 0};
    const auto takes = [&](const planner::ValidatedRow& row) {
        const auto index = static_cast<std::size_t>(&row - m_rows.data());
        return m_isShown[index] && (!fits || *fits == this->fits(row)) &&
               (!division || m_partOf[index].at(*division) == name);
    };
    part.summary = planner::summarise(m_rows, m_filter.figure, takes);
    for (const planner::ValidatedRow& row : m_rows)
        if (takes(row) && !row.error(m_filter.figure)) ++part.without;
    return part;
}

EvidencePart EvidenceModel::whole(bool fits) const {
    return partOf(fits ? tr("fitted") : tr("validated only"), fits, std::nullopt);
}

std::vector<EvidencePart> EvidenceModel::parts(std::size_t division) const {
    std::vector<EvidencePart> all;
    QStringList names;
    for (const int row : m_shown) names << entryAt(m_partOf, row).at(division);
    names.removeDuplicates();
    const auto addParts = [&](std::optional<bool> fits) {
        const auto first = static_cast<std::ptrdiff_t>(all.size());
        for (const QString& name : names) {
            EvidencePart part = partOf(name, fits, division);
            if (part.summary.rows + part.without > 0) all.push_back(std::move(part));
        }
        std::ranges::stable_sort(all.begin() + first, all.end(), std::greater<>(),
                                 [](const EvidencePart& part) { return part.summary.rows; });
    };
    for (const bool fits : {false, true}) {
        EvidencePart use = whole(fits);
        if (use.summary.rows + use.without == 0) continue;
        all.push_back(std::move(use));
        if (division == kBySource) addParts(fits);  // a source has one use
    }
    if (division != kBySource) addParts(std::nullopt);
    return all;
}

void EvidenceModel::select(std::optional<int> row) {
    if (row == m_selected) return;
    m_selected = row;
    emit selectionChanged();
}

}  // namespace plumb::ui
