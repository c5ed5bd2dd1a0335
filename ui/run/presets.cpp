// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/presets.h"

#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/model/config_json.h"
#include "ui/settings/settings.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr const char* kFormatName = "plumbline presets";
constexpr std::int64_t kNewestVersion = 1;
constexpr std::size_t kMostPresetBytes = std::size_t{16} << 20U;

Error notUsed(const QString& message, const QString& remedy) {
    return badInput(message.toStdString(), remedy.toStdString());
}

qsizetype placeOf(const QList<Preset>& presets, const QString& name) {
    const auto found = std::ranges::find(presets, name, &Preset::name);
    return found == presets.end() ? -1 : found - presets.begin();
}

/// "name", or "name 2", "name 3", ... where that is taken.
QString freeFrom(const QList<Preset>& presets, const QString& name) {
    QString wanted = name;
    for (int i = 2; placeOf(presets, wanted) >= 0; ++i) wanted = QStringLiteral("%1 %2").arg(name).arg(i);
    return wanted;
}

Preset preset(const QString& name, const RunConfig& config) { return {name, config}; }

}  // namespace

QByteArray presetsText(const QList<Preset>& presets) {
    nlohmann::json list = nlohmann::json::array();
    for (const Preset& one : presets)
        list.push_back({{"name", one.name.toStdString()}, {"config", toJson(one.config)}});
    return QByteArray::fromStdString(
        dumpJson({{"format", kFormatName}, {"version", kNewestVersion}, {"presets", std::move(list)}}, 1) +
        "\n");
}

Result<QList<Preset>> presetsFrom(const std::string& text, const std::string& what) {
    PLUMB_TRY(const nlohmann::json document, parseJson(text, what, kMostPresetBytes));
    JsonField::Problem problem;
    const JsonField root(document, what, problem);
    if (!root.expectObject()) return *std::move(problem);
    if (root["format"].textOr({}) != kFormatName)
        return notUsed(tr("%1 holds no presets").arg(toText(what)),
                       tr("choose a file that was exported from the presets"));
    if (root["version"].count(1) > kNewestVersion && root.ok())
        return notUsed(tr("%1 was written by a newer version of the program").arg(toText(what)),
                       tr("update this one"));
    QList<Preset> presets;
    const JsonField list = root["presets"];
    const std::size_t count = list.arraySize();
    for (std::size_t i = 0; i < count && root.ok(); ++i) {
        const JsonField entry = list.at(i);
        if (!entry.expectObject()) break;
        const JsonField config = entry["config"];
        const QString name = toText(entry["name"].text()).trimmed();
        if (root.ok() && name.isEmpty()) entry.fail("has no name");
        if (root.ok() && config.isNull()) entry.fail("has no config");
        presets << Preset{name, ValidConfig::read(config)};
    }
    if (problem) return *std::move(problem);
    return presets;
}

QList<Preset> builtInPresets() {
    const RunConfig quick;
    RunConfig mixed;
    mixed.dim = 1024;
    mixed.layers = 8;
    mixed.batch = 1024;
    mixed.precision = Precision::Bf16;
    RunConfig scaled = mixed;
    scaled.precision = Precision::Fp16;
    scaled.activation = Activation::Relu;
    RunConfig narrow = mixed;
    narrow.precision = Precision::Fp8;
    RunConfig deep;
    deep.dim = 512;
    deep.layers = 64;
    deep.batch = 4096;
    deep.precision = Precision::Bf16;
    deep.recompute.kind = RecomputePolicy::Kind::Sqrt;
    RunConfig pieces = mixed;
    pieces.batch = 4096;
    pieces.microBatch = 512;
    RunConfig streaming;
    streaming.dim = 2048;
    streaming.layers = 8;
    streaming.batch = 16;
    return {preset(tr("Small and quick"), quick),
            preset(tr("bf16 with fp32 master weights"), mixed),
            preset(tr("fp16 with loss scaling"), scaled),
            preset(tr("fp8 with per-tensor scales"), narrow),
            preset(tr("Deep, recomputed every √L layers"), deep),
            preset(tr("Large batch in micro-batches"), pieces),
            preset(tr("Small batch, bound by memory"), streaming)};
}

Presets::Presets(Settings& settings, QObject* parent) : QObject(parent), m_settings(settings) {}

QList<Preset> Presets::all() const {
    const QByteArray kept = m_settings.presets();
    if (kept.isEmpty()) return {};
    Result<QList<Preset>> presets = presetsFrom(kept.toStdString(), "settings");
    return presets.has_value() ? std::move(presets).value() : QList<Preset>();
}

void Presets::keep(const QList<Preset>& presets) {
    m_settings.setPresets(presetsText(presets));
    emit changed();
}

QString Presets::freeName() const {
    const QList<Preset> there = all();
    for (int i = 1;; ++i)
        if (QString name = tr("Preset %1").arg(i); placeOf(there, name) < 0) return name;
}

Result<void> Presets::save(const Preset& preset) {
    const Preset wanted{preset.name.trimmed(), preset.config};
    if (wanted.name.isEmpty())
        return notUsed(tr("A preset without a name cannot be found again"), tr("give it one"));
    QList<Preset> presets = all();
    if (const qsizetype place = placeOf(presets, wanted.name); place >= 0)
        presets[place] = wanted;
    else
        presets << wanted;
    keep(presets);
    return {};
}

Result<void> Presets::rename(const QString& name, const QString& to) {
    QList<Preset> presets = all();
    const qsizetype place = placeOf(presets, name);
    const QString wanted = to.trimmed();
    if (place < 0 || wanted == name) return {};
    if (wanted.isEmpty())
        return notUsed(tr("A preset without a name cannot be found again"), tr("give it one"));
    if (placeOf(presets, wanted) >= 0)
        return notUsed(tr("There is a preset “%1” already").arg(wanted), tr("choose another name"));
    presets[place].name = wanted;
    keep(presets);
    return {};
}

void Presets::remove(const QString& name) {
    QList<Preset> presets = all();
    const qsizetype place = placeOf(presets, name);
    if (place < 0) return;
    presets.removeAt(place);
    keep(presets);
}

void Presets::insert(qsizetype place, const Preset& preset) {
    QList<Preset> presets = all();
    // Another of its name may be there by now.
    presets.insert(std::clamp<qsizetype>(place, 0, presets.size()),
                   {freeFrom(presets, preset.name), preset.config});
    keep(presets);
}

Result<qsizetype> Presets::import(const QString& path) {
    PLUMB_TRY(const std::string text, readFile(path.toStdString(), kMostPresetBytes));
    PLUMB_TRY(const QList<Preset> given, presetsFrom(text, path.toStdString()));
    QList<Preset> presets = all();
    for (const Preset& one : given) presets << Preset{freeFrom(presets, one.name), one.config};
    if (!given.isEmpty()) keep(presets);
    return given.size();
}

Result<void> Presets::exportTo(const QString& path, const QList<Preset>& presets) {
    return writeFileAtomically(path.toStdString(), presetsText(presets).toStdString());
}

}  // namespace plumb::ui
