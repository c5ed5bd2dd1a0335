// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/presets.h"

#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/model/config_json.h"
#include "ui/settings/settings.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace plumb::ui {
namespace {

constexpr const char* kFormatName = "plumbline presets";
constexpr std::int64_t kNewestVersion = 1;
constexpr std::size_t kMostPresetBytes = std::size_t{16} << 20U;

Error notUsed(const QString& message, const QString& remedy) {
    return badInput(message.toStdString(), remedy.toStdString());
}

Error notThere(const QString& name) {
    return notUsed(tr("There is no preset “%1” any more").arg(name),
                   tr("look among the others: another window may have renamed it"));
}

/// An entry of a list as it was written, and what it says.
struct Entry {
    nlohmann::json json;
    QString name;
    Result<RunConfig> config;
};

Entry entryOf(const Preset& preset) {
    return {
        {{"name", preset.name.toStdString()}, {"config", toJson(preset.config)}}, preset.name, preset.config};
}

bool isReadable(const Entry& entry) { return entry.config.has_value(); }

/// "name", or "name 2", "name 3", ... where that is taken.
QString freeFrom(const std::vector<Entry>& entries, const QString& name) {
    QString wanted = name;
    for (int i = 2; std::ranges::count(entries, wanted, &Entry::name) > 0; ++i)
        wanted = QStringLiteral("%1 %2").arg(name).arg(i);
    return wanted;
}

Entry entryFrom(const JsonField& field, JsonField::Problem& problem) {
    Entry entry{*field.json(), {}, RunConfig()};
    if (field.expectObject()) {
        const JsonField name = field["name"], config = field["config"];
        entry.name = toText(name.text()).trimmed();
        if (!problem && entry.name.isEmpty()) field.fail("has no name");
        if (!problem && config.isNull()) field.fail("has no config");
        if (!problem) entry.config = ValidConfig::read(config);
    }
    // What is wrong with one says nothing of the next.
    if (std::optional<Error> why = std::exchange(problem, std::nullopt)) entry.config = *std::move(why);
    return entry;
}

/// The entries of a document. Errors: BadInput for one that holds no list of presets.
Result<std::vector<Entry>> entriesFrom(const nlohmann::json& document, const std::string& what) {
    JsonField::Problem problem;
    const JsonField root(document, what, problem);
    if (!root.expectObject()) return *std::move(problem);
    if (root["format"].textOr({}) != kFormatName)
        return notUsed(tr("%1 holds no presets").arg(toText(what)),
                       tr("choose a file that was exported from the presets"));
    if (root["version"].count(1) > kNewestVersion && root.ok())
        return notUsed(tr("%1 was written by a newer version of the program").arg(toText(what)),
                       tr("update this one"));
    const JsonField list = root["presets"];
    const std::size_t count = list.arraySize();
    if (problem) return *std::move(problem);
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < count; ++i) entries.push_back(entryFrom(list.at(i), problem));
    return entries;
}

Preset preset(const QString& name, const RunConfig& config) { return {name, config}; }

}  // namespace

QByteArray presetsText(const QList<Preset>& presets) {
    nlohmann::json list = nlohmann::json::array();
    for (const Preset& one : presets) list.push_back(entryOf(one).json);
    return QByteArray::fromStdString(
        dumpJson({{"format", kFormatName}, {"version", kNewestVersion}, {"presets", std::move(list)}}, 1) +
        "\n");
}

Result<QList<Preset>> presetsFrom(const std::string& text, const std::string& what) {
    PLUMB_TRY(const nlohmann::json document, parseJson(text, what, kMostPresetBytes));
    PLUMB_TRY(const std::vector<Entry> entries, entriesFrom(document, what));
    QList<Preset> presets;
    for (const Entry& entry : entries) {
        if (!isReadable(entry)) return entry.config.error();
        presets << Preset{entry.name, *entry.config};
    }
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

/// What lies in the settings: the document with all that it says beside its list.
struct Presets::Kept {
    nlohmann::json document;
    std::vector<Entry> entries;
    [[nodiscard]] std::vector<Entry>::iterator named(const QString& name) {
        return std::ranges::find(entries, name, &Entry::name);
    }
    [[nodiscard]] bool isTaken(const QString& name) { return named(name) != entries.end(); }
};

Presets::Presets(Settings& settings, QObject* parent) : QObject(parent), m_settings(settings) {}

Result<Presets::Kept> Presets::kept() const { return keptIn(m_settings.presets()); }

Result<Presets::Kept> Presets::keptIn(const QByteArray& settings) {
    const QByteArray text = settings.isEmpty() ? presetsText({}) : settings;
    const auto read = [&]() -> Result<Kept> {
        PLUMB_TRY(nlohmann::json document, parseJson(text.toStdString(), "settings", kMostPresetBytes));
        PLUMB_TRY(std::vector<Entry> entries, entriesFrom(document, "settings"));
        return Kept{std::move(document), std::move(entries)};
    };
    Result<Kept> kept = read();
    if (kept.has_value()) return kept;
    return notUsed(tr("The presets in the settings cannot be read and stay as they are: %1")
                       .arg(coreText(kept.error().message)),
                   tr("take the line “presets=” out of the file of the settings while no window is open"));
}

Result<void> Presets::change(const std::function<Result<void>(Kept&)>& edit) {
    Result<void> written = m_settings.changePresets([&](const QByteArray& settings) -> Result<QByteArray> {
        PLUMB_TRY(Kept now, keptIn(settings));
        PLUMB_CHECK(edit(now));
        nlohmann::json list = nlohmann::json::array();
        for (Entry& entry : now.entries) list.push_back(std::move(entry.json));
        now.document["presets"] = std::move(list);
        return QByteArray::fromStdString(dumpJson(now.document, 1) + "\n");
    });
    if (written.has_value()) emit changed();
    return written;
}

QList<Preset> Presets::all() const {
    QList<Preset> all;
    if (const Result<Kept> now = kept(); now.has_value())
        for (const Entry& entry : now->entries)
            if (isReadable(entry)) all << Preset{entry.name, *entry.config};
    return all;
}

QList<UnreadPreset> Presets::unread() const {
    QList<UnreadPreset> all;
    if (const Result<Kept> now = kept(); now.has_value())
        for (const Entry& entry : now->entries)
            if (!isReadable(entry)) all << UnreadPreset{entry.name, entry.config.error()};
    return all;
}

std::optional<Error> Presets::problem() const {
    const Result<Kept> now = kept();
    return now.has_value() ? std::nullopt : std::optional(now.error());
}

bool Presets::has(const QString& name) const {
    const QList<Preset> there = all();
    return std::ranges::count(there, name.trimmed(), &Preset::name) > 0;
}

QString Presets::freeName() const {
    Result<Kept> now = kept();
    for (int i = 1;; ++i)
        if (QString name = tr("Preset %1").arg(i); !now.has_value() || !now->isTaken(name)) return name;
}

Result<void> Presets::save(const Preset& preset, IfTaken ifTaken) {
    const Preset wanted{preset.name.trimmed(), preset.config};
    if (wanted.name.isEmpty())
        return notUsed(tr("A preset without a name cannot be found again"), tr("give it one"));
    return change([&](Kept& now) -> Result<void> {
        const auto there = now.named(wanted.name);
        if (there == now.entries.end()) {
            now.entries.push_back(entryOf(wanted));
            return {};
        }
        if (!isReadable(*there))
            return notUsed(tr("There is a preset “%1” that cannot be read").arg(wanted.name),
                           tr("choose another name"));
        if (ifTaken == IfTaken::Refuse)
            return notUsed(tr("There is a preset “%1” already").arg(wanted.name), tr("choose another name"));
        there->json["config"] = toJson(wanted.config);
        return {};
    });
}

Result<void> Presets::rename(const QString& name, const QString& to) {
    const QString wanted = to.trimmed();
    if (wanted == name) return {};
    if (wanted.isEmpty())
        return notUsed(tr("A preset without a name cannot be found again"), tr("give it one"));
    return change([&](Kept& now) -> Result<void> {
        const auto there = now.named(name);
        if (there == now.entries.end()) return notThere(name);
        if (now.isTaken(wanted))
            return notUsed(tr("There is a preset “%1” already").arg(wanted), tr("choose another name"));
        there->json["name"] = wanted.toStdString();
        return {};
    });
}

Result<RemovedPreset> Presets::remove(const QString& name) {
    RemovedPreset removed;
    PLUMB_CHECK(change([&](Kept& now) -> Result<void> {
        const auto there = now.named(name);
        if (there == now.entries.end()) return notThere(name);
        removed = {there - now.entries.begin(), dumpJson(there->json)};
        now.entries.erase(there);
        return {};
    }));
    return removed;
}

Result<QString> Presets::putBack(const RemovedPreset& removed) {
    PLUMB_TRY(nlohmann::json json, parseJson(removed.entry, "settings", kMostPresetBytes));
    JsonField::Problem problem;
    Entry entry = entryFrom(JsonField(json, "preset", problem), problem);
    PLUMB_CHECK(change([&](Kept& now) -> Result<void> {
        const QString free = entry.name.isEmpty() ? QString() : freeFrom(now.entries, entry.name);
        if (free != entry.name) entry.json["name"] = free.toStdString();
        entry.name = free;
        const auto place = std::clamp<qsizetype>(removed.place, 0, std::ssize(now.entries));
        now.entries.insert(now.entries.begin() + place, entry);
        return {};
    }));
    return entry.name;
}

Result<qsizetype> Presets::import(const QString& path) {
    PLUMB_TRY(const std::string text, readFile(path.toStdString(), kMostPresetBytes));
    PLUMB_TRY(const QList<Preset> given, presetsFrom(text, path.toStdString()));
    if (given.isEmpty()) return qsizetype{0};
    PLUMB_CHECK(change([&](Kept& now) -> Result<void> {
        for (const Preset& one : given)
            now.entries.push_back(entryOf({freeFrom(now.entries, one.name), one.config}));
        return {};
    }));
    return given.size();
}

Result<void> Presets::exportTo(const QString& path, const QList<Preset>& presets) {
    return writeFileAtomically(path.toStdString(), presetsText(presets).toStdString());
}

}  // namespace plumb::ui
