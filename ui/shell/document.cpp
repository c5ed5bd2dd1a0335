// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/document.h"

#include "core/base/sentence.h"
#include "core/io/file.h"
#include "core/measure/training_series.h"
#include "ui/engine/curve_measurer.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/workbench/config_history.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>
#include <variant>

namespace plumb::ui {
namespace {

/// Whether save() writes this one: one that said nothing yet has nothing to be kept.
bool isHeld(const TrainingRun& run) { return !run.isGuest && !run.history.empty(); }

/// What could not be read, as one error; empty: nothing.
std::optional<Error> togetherOf(const std::vector<Error>& refused) {
    if (refused.empty()) return std::nullopt;
    Error all = refused.front();
    for (std::size_t i = 1; i < refused.size(); ++i)
        all.hint += (i == 1 ? ". " : " ") + asSentence(refused[i].text());
    return all;
}

}  // namespace

Document::Document(Workbench& workbench, RunController& controller, ConfigHistory& history,
                   CurveMeasurer& measurer, QObject* parent)
    : QObject(parent),
      m_workbench(workbench),
      m_controller(controller),
      m_history(history),
      m_measurer(measurer) {
    constexpr int kTickMs = 100;  // how often progress is told; what is read faster says nothing
    m_ticks.setInterval(kTickMs);
    connect(&m_ticks, &QTimer::timeout, this, &Document::progressed);
    connect(&workbench.marks, &DocumentMarks::changed, this, &Document::changed);
}

// The worker is told to stop before its runner waits for it.
Document::~Document() { m_stop.request_stop(); }

void Document::open(const QStringList& paths, const Guard& beforeReplacing) {
    Guard guard = beforeReplacing;
    bool isFirst = true;
    for (const QString& path : paths)
        m_waiting.push_back({QFileInfo(path).absoluteFilePath(), std::exchange(isFirst, false),
                             std::exchange(guard, nullptr)});
    if (!m_reader.busy()) readNext();
}

void Document::readNext() {
    if (m_reader.busy()) return;
    if (m_waiting.empty()) {
        if (const auto refused = togetherOf(std::exchange(m_refused, {}))) emit failed(*refused);
        return;
    }
    const Waiting next = m_waiting.front();
    m_waiting.pop_front();
    if (next.isFirst) {
        m_isBeside = false;
        m_guard = next.guard;
    }
    m_stop = {};
    m_share = std::make_shared<std::atomic<double>>(0);
    m_reading = next.path;
    m_ticks.start();
    const ReadControl control{m_stop.get_token(), [share = m_share](double done) { share->store(done); }};
    m_reader.run([path = next.path, control] { return readOpened(path, control); },
                 [this, path = next.path](Result<OpenedAny> file) {
                     endReading();
                     if (!file.has_value())
                         m_refused.push_back(file.error());
                     else
                         std::visit([&](auto& read) { show(path, std::move(read)); }, file.value());
                     emit changed();
                     readNext();
                 });
    emit changed();
}

void Document::endReading() {
    m_ticks.stop();
    m_reading.clear();
    emit progressed();
}

void Document::cancelOpening() {
    if (!opening()) return;
    m_stop.request_stop();
    m_reader.cancel();
    m_waiting.clear();
    endReading();
    emit changed();
    readNext();  // says what was refused before
}

void Document::show(const QString& path, OpenedSession session) {
    if (const Guard guard = std::exchange(m_guard, nullptr)) {
        auto held = std::make_shared<OpenedSession>(std::move(session));
        // What waits is read once it was decided; of another answer nothing is left.
        return guard([this, path, held, rest = std::exchange(m_waiting, {})] {
            m_waiting.insert(m_waiting.begin(), rest.begin(), rest.end());
            const Guard ofOthers = std::exchange(m_guard, nullptr);
            show(path, std::move(*held));
            m_guard = ofOthers;
            emit changed();
            readNext();
        });
    }
    const QString notice = session.notice;
    put(path, std::move(session));
    emit opened(path);
    if (!notice.isEmpty()) emit noticed(notice);
}

void Document::showKept(OpenedSession session, const QString& name) {
    m_isBeside = false;
    m_name = name;
    put({}, std::move(session));
    emit changed();
}

void Document::put(const QString& path, OpenedSession session) {
    m_data = std::move(session.data);
    m_path = path;
    if (!path.isEmpty()) m_name = QFileInfo(path).fileName();
    if (session.stepsWanted) m_controller.next().setSteps(*session.stepsWanted);
    m_controller.showFile(std::move(session.scene), std::exchange(m_isBeside, true));
    m_measurer.replace(session.curves);
    m_controller.prover().replace(std::move(session.proof));
    m_history.clear();
    m_workbench.marks.replace(std::move(session.marks));
}

void Document::show(const QString& path, StepFile file) {
    m_isBeside = true;
    m_controller.showRecording({path, std::make_shared<const StepFile>(std::move(file))});
    emit opened(path);
}

Result<Snapshot> Document::snapshot() const {
    const Scene& scene = *m_workbench.session();
    const auto& runs = m_workbench.runs().all();
    const auto newest =
        std::find_if(runs.rbegin(), runs.rend(), [](const auto& run) { return isHeld(*run); });
    RunConfig config = scene.config();
    Target target = scene.whatIf.target;
    if (scene.measured) {
        config = scene.measured->config();
        target = scene.measured->target;
    } else if (newest != runs.rend()) {
        config = (*newest)->config;
        target = (*newest)->target.value_or(target);
    }
    const std::string& machine = target.machine.id;
    PLUMB_TRY(Snapshot result, makeSnapshot(config, target));
    if (const FiledPrediction* filed = m_workbench.predictions().shown(config, target)) {
        result.predicted = filed->reading;
        result.predictedBy = filed->program.toStdString();
    }
    if (scene.measured) result.measured = *scene.measured->reading;
    if (m_data && m_data->first == config) result.data = m_data->second;
    result.note = m_workbench.marks.all().note;
    result.bookmarks = m_workbench.marks.all().bookmarks;
    result.stepsWanted = m_controller.next().steps();
    bool isLater = false;
    for (std::size_t i = 0; i < m_workbench.measurements().size(); ++i) {
        const Measurement& other = m_workbench.measurements()[i];
        if (m_workbench.shownMeasurement() == i)
            isLater = true;
        else
            result.measurements.push_back({other.config, other.target, isLater, *other.reading});
    }
    result.recomputeCurve = m_measurer.curveOf(config, machine);
    result.curves = m_measurer.curvesBeside(config, machine);
    result.fitProof = m_controller.prover().proof();
    // The newest run of this very step is the file's own; all others stand beside it.
    const TrainingRun* own = nullptr;
    for (const auto& run : runs)
        if (isHeld(*run) && run->config == config && (!run->target || run->target->machine.id == machine))
            own = run.get();
    bool isNewer = false;
    for (const auto& run : runs) {
        if (!isHeld(*run)) continue;
        if (run.get() == own) {
            result.training = seriesOf(*run);
            isNewer = true;
            continue;
        }
        result.runs.push_back({run->config, run->target.value_or(target), isNewer, seriesOf(*run)});
    }
    return result;
}

QString holdingOf(const Snapshot& snapshot) {
    QStringList parts{Document::tr("prediction")};
    const auto others = static_cast<int>(snapshot.measurements.size());
    if (snapshot.measured) {
        const QString own = Document::tr("measurement of %1 steps").arg(snapshot.measured->stepsMeasured);
        parts << (others == 0   ? own
                  : others == 1 ? Document::tr("%1 and 1 other").arg(own)
                                : Document::tr("%1 and %2 others").arg(own).arg(others));
    } else if (others > 0) {
        parts << (others == 1 ? Document::tr("1 measurement") : Document::tr("%1 measurements").arg(others));
    }
    if (const std::size_t trainings = snapshot.runs.size() + (snapshot.training ? 1 : 0); trainings > 0)
        parts << (trainings == 1 ? Document::tr("1 training") : Document::tr("%1 trainings").arg(trainings));
    if (const std::size_t curves = snapshot.curves.size() + (snapshot.recomputeCurve.empty() ? 0 : 1);
        curves > 0)
        parts << (curves == 1 ? Document::tr("checkpoint curve")
                              : Document::tr("%1 checkpoint curves").arg(curves));
    if (snapshot.fitProof) parts << Document::tr("proof of the largest batch");
    if (!snapshot.note.empty()) parts << Document::tr("note");
    if (const std::size_t marks = snapshot.bookmarks.size(); marks > 0)
        parts << (marks == 1 ? Document::tr("1 bookmark") : Document::tr("%1 bookmarks").arg(marks));
    return listText(parts);
}

QString leftOutOf(const SessionLoss& loss) {
    QStringList parts;
    const auto add = [&](std::size_t count, const QString& what) {
        if (count > 0) parts << what.arg(count);
    };
    add(loss.measurements, Document::tr("the oldest %1 of the measurements"));
    add(loss.timelines, Document::tr("the timelines of %1 older measurements"));
    add(loss.curves, Document::tr("the oldest %1 of the checkpoint curves"));
    add(loss.runs, Document::tr("the oldest %1 of the trainings"));
    return listText(parts);
}

bool Document::save(const QString& path) {
    Result<Snapshot> made = snapshot();
    if (!made.has_value()) {
        emit failed(made.error());
        return false;
    }
    const QString leftOut = leftOutOf(boundSession(made.value()));
    if (const Result<void> written = writeSnapshot(path.toStdString(), made.value()); !written.has_value()) {
        emit failed(written.error());
        return false;
    }
    m_path = QFileInfo(path).absoluteFilePath();
    m_name = QFileInfo(path).fileName();
    m_controller.work().results().setSaved();
    m_workbench.marks.setSaved();
    emit saved(m_path);
    QString what =
        tr("Saved %1: %2 (%3)").arg(m_name, holdingOf(made.value()), runTitle(made.value().config));
    if (!(made.value().config == m_workbench.config()))
        what += tr("; the what-if of the sliders is not part of it");
    if (!leftOut.isEmpty()) what += tr("; too much for one file, so left out: %1").arg(leftOut);
    emit noticed(what);
    emit changed();
    return true;
}

Result<ExportedStep> Document::exportedStep() const {
    if (const Recording* recording = m_workbench.recording())
        return plumb::exportedStep(*recording->file, m_workbench.scene()->whatIf.machine());
    PLUMB_TRY(const Snapshot made, snapshot());
    ExportedStep step = plumb::exportedStep(made);
    const auto& runs = m_workbench.runs().all();
    const auto newest =
        std::find_if(runs.rbegin(), runs.rend(), [](const auto& run) { return isHeld(*run); });
    if (newest != runs.rend()) step.training = std::make_shared<const TrainingSeries>(seriesOf(**newest));
    return step;
}

bool Document::exportAs(const ExportFormat& format, const QString& path) {
    const Result<ExportedStep> step = exportedStep();
    const Result<std::string> content =
        step.has_value() ? exported(step.value(), format) : Result<std::string>(step.error());
    const Result<void> written = content.has_value()
                                     ? writeFileAtomically(path.toStdString(), content.value())
                                     : Result<void>(content.error());
    if (written.has_value()) return true;
    emit failed(written.error());
    return false;
}

}  // namespace plumb::ui
