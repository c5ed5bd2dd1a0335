// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_record.h"

#include "core/base/program_version.h"
#include "core/io/json_fields.h"
#include "core/measure/spread.h"
#include "core/model/config_json.h"
#include "ui/theme/text.h"
#include "ui/workbench/training_runs.h"

#include <QCryptographicHash>
#include <QtEndian>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

/// Adds figures of one side of an entry: those that are known and finite.
class FigureList {
public:
    FigureList(std::vector<HistoryFigure>& figures, bool isMeasured)
        : m_figures(figures), m_isMeasured(isMeasured) {}

    HistoryFigure* add(const char* name, std::optional<double> value) {
        const HistoryFigureSpec* spec = historyFigure(QString::fromLatin1(name));
        if (!value || !std::isfinite(*value) || spec == nullptr) return nullptr;
        HistoryFigure figure;
        figure.name = QString::fromLatin1(name);
        figure.isMeasured = m_isMeasured;
        figure.value = *value;
        figure.unit = QString::fromLatin1(spec->unit);
        m_figures.push_back(std::move(figure));
        return &m_figures.back();
    }
    void add(const char* name, std::optional<double> value, const Totals& totals, Source source,
             const std::optional<Spread>& spread) {
        HistoryFigure* const figure = add(name, value);
        if (figure == nullptr) return;
        if (spread && std::isfinite(spread->low)) figure->low = spread->low;
        if (spread && std::isfinite(spread->high)) figure->high = spread->high;
        if (totals.tier) figure->tier = toText(tierName(*totals.tier));
        figure->source = toText(sourceName(source));
    }

private:
    std::vector<HistoryFigure>& m_figures;
    bool m_isMeasured;
};

std::optional<double> real(std::optional<std::int64_t> whole) {
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

void addReading(std::vector<HistoryFigure>& figures, const Reading& reading) {
    const bool isMeasured = reading.source != Source::Predicted;
    const Totals& totals = reading.totals;
    FigureList list(figures, isMeasured);
    list.add("step_time", totals.seconds, totals, reading.source, totals.spread);
    if (reading.memory) {
        HistoryFigure* const peak = list.add("peak_memory", static_cast<double>(reading.memory->peakBytes));
        if (peak != nullptr) peak->source = toText(sourceName(reading.memory->source));
    }
    const auto addRate = [&](const char* name, std::optional<double> rate) {
        list.add(name, rate, totals, reading.source, spreadOfQuotient(rate, totals.seconds, totals.spread));
    };
    addRate("samples_per_second", totals.samplesPerSecond);
    addRate("flop_per_second", totals.flopPerSecond);
    addRate("mfu", totals.mfu);
    // FLOPs and bytes of a measured step are those that counters saw, and of no other.
    if (isMeasured && !reading.counterRun) return;
    const Source counted = isMeasured ? Source::Counter : Source::Predicted;
    if (HistoryFigure* flops = list.add("flops", real(totals.flops)))
        flops->source = toText(sourceName(counted));
    if (HistoryFigure* bytes = list.add("bytes", real(totals.bytes)))
        bytes->source = toText(sourceName(counted));
}

void addTraining(std::vector<HistoryFigure>& figures, const TrainingSeries& series, double stepsPerSecond) {
    FigureList list(figures, true);
    if (!series.steps.empty()) {
        list.add("loss", series.steps.back().loss);
        std::optional<double> least;
        for (const StepMetrics& step : series.steps)
            if (std::isfinite(step.loss) && (!least || step.loss < *least)) least = step.loss;
        list.add("least_loss", least);
    }
    if (!series.holdOut.empty()) list.add("hold_out_loss", series.holdOut.back().loss);
    if (stepsPerSecond > 0) list.add("steps_per_second", stepsPerSecond);
    list.add("steps", static_cast<double>(series.stepsDone));
}

void addCurve(std::vector<HistoryFigure>& figures, const std::vector<MeasuredPolicy>& curve) {
    FigureList list(figures, true);
    std::optional<double> least;
    for (const MeasuredPolicy& point : curve)
        if (const std::optional<double> peak = real(point.peakBytes); peak && (!least || *peak < *least))
            least = peak;
    list.add("least_peak_memory", least);
    list.add("policies", static_cast<double>(curve.size()));
}

QString configTextOf(const RunConfig& config) { return toText(dumpJson(toJson(config))); }

}  // namespace

QString configKeyOf(const RunConfig& config) {
    constexpr qsizetype kDigits = 12;
    return QString::fromLatin1(
        QCryptographicHash::hash(configTextOf(config).toUtf8(), QCryptographicHash::Sha256)
            .toHex()
            .left(kDigits));
}

QByteArray packedSnapshot(const Snapshot& snapshot) {
    const std::string text = snapshotText(snapshot);
    return qCompress(reinterpret_cast<const uchar*>(text.data()), static_cast<qsizetype>(text.size()));
}

Result<Snapshot> unpackedSnapshot(const QByteArray& packed, const QString& name) {
    // The length stands before what zlib wrote: memory is taken for it at once, so it is looked at first.
    const auto damaged = [&] {
        return badInput(tr("The snapshot of %1 in the history is damaged").arg(name).toStdString(),
                        tr("run it again").toStdString());
    };
    if (packed.size() <= static_cast<qsizetype>(sizeof(quint32))) return damaged();
    if (qFromBigEndian<quint32>(packed.constData()) > kMostSnapshotBytes) return damaged();
    const QByteArray text = qUncompress(packed);
    if (text.isEmpty()) return damaged();
    return parseSnapshot(text.toStdString(), name.toStdString());
}

Result<KeptWork> kept(const FinishedWork& work) {
    PLUMB_TRY(Snapshot snapshot, makeSnapshot(work.config, work.target));
    KeptWork result;
    HistoryEntry& entry = result.entry;
    if (snapshot.predicted) addReading(entry.figures, *snapshot.predicted);
    if (work.measured) {
        snapshot.measured = *work.measured;
        addReading(entry.figures, *work.measured);
        entry.engine = toText(work.measured->engine);
        entry.steps = work.measured->stepsMeasured;
    }
    if (work.training) {
        snapshot.training = work.training;
        addTraining(entry.figures, *work.training, work.stepsPerSecond);
        entry.steps = work.training->stepsDone;
        entry.outcome = toText(work.training->outcome);
    }
    if (!work.curve.empty()) {
        snapshot.recomputeCurve = work.curve;
        addCurve(entry.figures, work.curve);
    }
    entry.uid = work.uid;
    entry.kind = work.kind;
    entry.began = work.began;
    entry.ended = work.ended;
    entry.program = toText(programVersion());
    entry.title = runTitle(work.config);
    entry.config = configTextOf(work.config);
    entry.configKey = configKeyOf(work.config);
    entry.deviceId = toText(work.target.machine.id);
    entry.device = QString::fromStdString(work.target.machine.name);
    entry.deviceSource = toText(work.target.machine.source);
    result.packed = packedSnapshot(snapshot);
    return result;
}

}  // namespace plumb::ui
