// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/snapshot_json.h"

#include "core/data/data_provenance.h"
#include "core/machine/machine_json.h"
#include "core/measure/fit_proof_json.h"
#include "core/measure/reading_json.h"
#include "core/measure/totals_check.h"
#include "core/measure/training_json.h"
#include "core/model/config_json.h"
#include "core/plan/traits_json.h"

#include <algorithm>
#include <string>

namespace plumb {

namespace {

using nlohmann::json;
using enum Presence;

constexpr std::string_view kFormat = "plumbline.snapshot";
/// Version of a file without columns, which older readers know too.
constexpr int kListVersion = 1;

bool isObject(const json& document, std::initializer_list<const char*> path) {
    const json* at = &document;
    for (const char* key : path) {
        const auto found = at->is_object() ? at->find(key) : at->end();
        if (!at->is_object() || found == at->end()) return false;
        at = &*found;
    }
    return at->is_object();
}

bool hasColumns(const json& document) {
    const auto ofReading = [](const json& owner, const char* reading) {
        return isObject(owner, {reading, "ops"}) || isObject(owner, {reading, "memory", "curve"});
    };
    const auto ofMeasured = [&](const json& owner) { return ofReading(owner, "measured"); };
    const auto ofTraining = [](const json& owner) {
        return isObject(owner, {"training", "first_scales", "tensors"}) ||
               isObject(owner, {"training", "last_scales", "tensors"});
    };
    return ofReading(document, "predicted") || ofMeasured(document) || ofTraining(document) ||
           std::ranges::any_of(document.at("runs"), ofTraining) ||
           std::ranges::any_of(document.at("measurements"), ofMeasured);
}

/// 6 * B * N, the rule of thumb for a training step of a rank; absent when it does not fit in 63 bits.
std::optional<Flops> ruleOfSix(const RunConfig& config) {
    const Flops rule = mulOrOverflow(6, mulOrOverflow(config.rankBatch(), config.parameters()));
    return rule < 0 ? std::nullopt : std::optional(rule);
}

std::optional<std::int64_t> parametersOf(const RunConfig& config) { return config.parameters(); }

/// A number that the configuration makes, for the human readers of a file; missing or null is not compared.
template <std::optional<std::int64_t> (*derive)(const RunConfig& config)>
struct Derived {
    using Number = Json<std::optional<std::int64_t>>;
    static json write(const Snapshot& snapshot) { return Number::write(derive(snapshot.config)); }
    static void read(const JsonField& field, Snapshot& snapshot) {
        const std::optional<std::int64_t> derived = derive(snapshot.config);
        if (field.count() != derived && field.ok())
            field.fail("is " + field.json()->dump() + ", and the configuration makes it " +
                       (derived ? std::to_string(*derived) : "more than 63 bits can count"));
    }
    static json schema(json& definitions) { return Number::schema(definitions); }
};

/// Looked at before anything else is read.
struct Format {
    static json write(const Snapshot& /*snapshot*/) { return kFormat; }
    static void read(const JsonField& /*field*/, Snapshot& /*snapshot*/) {}
    static json schema(json& /*definitions*/) { return {{"const", kFormat}}; }
};
struct Version {
    static json write(const Snapshot& /*snapshot*/) { return kListVersion; }
    static void read(const JsonField& /*field*/, Snapshot& /*snapshot*/) {}
    static json schema(json& /*definitions*/) { return {{"enum", {kListVersion, Snapshot::kVersion}}}; }
};

struct Moment : Json<std::string> {
    static json schema(json& /*definitions*/) {
        return {{"type", "string"}, {"pattern", R"(^$|^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$)"}};
    }
};

struct TextOrNull : Json<std::string> {
    static json write(const std::string& text) { return text.empty() ? json() : json(text); }
    static json schema(json& definitions) { return orNull(Json<std::string>::schema(definitions)); }
};

/// A reading that agrees with the configuration, the machine and what was predicted.
template <std::optional<Reading> Snapshot::*pointer>
struct OwnReading : OfOwner<MemberOf<pointer>> {
    static void read(const JsonField& field, Snapshot& snapshot) {
        OfOwner<MemberOf<pointer>>::read(field, snapshot);
        // Another program may have predicted other operations.
        const bool isOurs = snapshot.predicted && snapshot.predictedBy.empty();
        expectBelievable(field, *(snapshot.*pointer), snapshot.config, snapshot.target.machine,
                         isOurs ? &*snapshot.predicted : nullptr);
    }
};

}  // namespace

JsonType<Standardization> jsonType(Of<Standardization> /*type*/) {
    static constexpr JsonMember<Standardization> kMembers[]{
        member<&Standardization::means, ListOf<AnyNumber>>("means", Required),
        member<&Standardization::deviations>("deviations", Required)};
    static constexpr auto kCheck = [](const JsonField& field, Standardization& made) {
        if (made.means.size() != made.deviations.size())
            field["deviations"].fail("and means have different lengths");
    };
    return {{}, {}, kMembers, kCheck};
}

JsonType<DataProvenance> jsonType(Of<DataProvenance> /*type*/) {
    static constexpr JsonMember<DataProvenance> kMembers[]{
        member<&DataProvenance::description>("description", Always,
                                             "Files, their element types, rows or tokens"),
        member<&DataProvenance::samples>("samples", Required, "Samples of one epoch"),
        member<&DataProvenance::heldOut>("held_out", IfSet, "Samples that are not trained on; absent: 0"),
        member<&DataProvenance::standardization>(
            "standardization", IfSet,
            "What was taken from each column of the features and what it was then divided by, of the samples "
            "that are trained on"),
        member<&DataProvenance::targetStandardization>(
            "target_standardization", IfSet,
            "The same of the targets; losses of the training are those of the standardised targets")};
    return {{}, {}, kMembers};
}

JsonType<Snapshot> jsonType(Of<Snapshot> /*type*/) {
    static constexpr JsonMember<Snapshot> kMembers[]{
        custom<Snapshot, Format>("format", Required),
        custom<Snapshot, Version>(
            "version", Required,
            "Grows when a reader of the version before would misread the file. 2: readings of more than 8192 "
            "ops and statistics of as many tensors are in columns; all other files are of version 1."),
        member<&Snapshot::created, Moment>("created", Added, "ISO 8601, UTC"),
        member<&Snapshot::program>("program", Added, "What wrote the file, with version and revision"),
        member<&Snapshot::config, ValidConfig>("config", Required),
        custom<Snapshot, Derived<parametersOf>>("parameters", Added, "N = layers * dim^2 + dim * outputs"),
        custom<Snapshot, Derived<ruleOfSix>>(
            "rule_6bn_flops", Added, "The rule of thumb 6 * batch * N, to compare with totals.matmul_flops"),
        member<&Snapshot::target, &Target::machine>("machine", Required),
        member<&Snapshot::target, &Target::traits>("traits", Added),
        custom<Snapshot, OwnReading<&Snapshot::predicted>>("predicted", Always),
        member<&Snapshot::predictedBy, TextOrNull>("predicted_by", Added,
                                                   "The program that predicted, when that was not `program`"),
        custom<Snapshot, OwnReading<&Snapshot::measured>>("measured", Always),
        member<&Snapshot::data>("data", Added,
                                "The files that the run read its samples from; null for synthetic data and "
                                "where nothing ran"),
        member<&Snapshot::training>("training", Always),
        member<&Snapshot::recomputeCurve>("checkpoint_curve", Added),
        custom<Snapshot, SessionRuns>("runs", Added,
                                      "The other trainings of the session that the file was saved in, in the "
                                      "order in which they began; absent in files of before"),
        custom<Snapshot, SessionMeasurements>("measurements", Added,
                                              "The other measurements of the session that the file was saved "
                                              "in, in their order; absent in files of before"),
        custom<Snapshot, SessionCurves>("curves", Added,
                                        "Checkpoint curves of other configurations that were measured in the "
                                        "session; absent in files of before"),
        member<&Snapshot::note>("note", IfSet, "What its reader wrote about it; absent where nothing"),
        member<&Snapshot::bookmarks, ListOf<Json<Bookmark>, kMostBookmarks>>(
            "bookmarks", IfSet, "Places that its reader marked, in their order; absent where none"),
        member<&Snapshot::stepsWanted>("steps_wanted", IfSet,
                                       "Steps that the next run of the window takes, 0 until it is stopped"),
        member<&Snapshot::fitProof>("fit_proof", IfSet,
                                    "The newest proof of the session that the largest batch fits in memory "
                                    "and the next does not, whatever its configuration")};
    return {"snapshot", {}, kMembers};
}

json toJson(const Snapshot& snapshot) {
    json document = toJson<Snapshot>(snapshot);
    if (hasColumns(document)) document["version"] = Snapshot::kVersion;
    return document;
}

Result<Snapshot> snapshotFromJson(const json& document) {
    JsonField::Problem problem;
    const JsonField root(document, "", problem);
    const JsonField format = root["format"], version = root["version"];
    if (format.isNull() || !format.json()->is_string() ||
        format.json()->get_ref<const std::string&>() != kFormat)
        return Error{ErrorCode::BadInput,
                     R"(this is not a Plumbline snapshot (its "format" is not ")" + std::string(kFormat) +
                         "\")",
                     "choose a file that Plumbline saved"};
    const std::int64_t number = version.count(1);
    if (!problem && number > Snapshot::kVersion)
        return Error{ErrorCode::BadInput,
                     "it was written by a newer version (" + std::to_string(number) + ")",
                     "update Plumbline"};
    Snapshot snapshot;
    if (!problem) readMembers(root, snapshot);
    if (problem) return *std::move(problem);
    return snapshot;
}

}  // namespace plumb
