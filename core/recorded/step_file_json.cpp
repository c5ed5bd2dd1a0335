// SPDX-License-Identifier: Apache-2.0
#include "core/recorded/step_file_json.h"

#include "core/io/file.h"
#include "core/io/watched_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>

namespace plumb {
namespace {

using nlohmann::json;
using enum Presence;

/// What a document may take in memory: four times the largest file.
constexpr std::size_t kMostStepDocumentBytes = std::size_t{1} << 30U;
constexpr std::int64_t kMostSteps = std::int64_t{1}
                                    << 53U;  ///< of a recording: what every reader of JSON tells apart

template <class Codec>
using Column = ListOf<Codec, StepFile::kMostRows>;
using Texts = std::vector<std::string>;
using TextColumn = Column<Json<std::string>>;
using Ids = std::vector<std::int64_t>;
using Count = std::optional<std::int64_t>;
using CountColumn = Column<Json<Count>>;
using IndexColumn = Column<Whole<-1, static_cast<std::int64_t>(StepFile::kMostRows)>>;

/// Ops as they stand in the file.
struct OpColumns {
    Texts id, kind, overload, module, name;
    std::vector<Phase> phase;
    std::vector<Dtype> units;
    std::vector<Count> flops;
    std::vector<std::int64_t> matmulFlops, bytes;
    std::vector<bool> isProduct;
    std::vector<std::vector<Ids>> inputShapes;
    std::vector<Ids> reads, writes;
    std::vector<std::optional<double>> seconds, start;
};

/// Tensors as they stand in the file.
struct TensorColumns {
    Texts name, role, module, elementType;
    std::vector<Category> category;
    std::vector<Ids> shape;
    std::vector<std::int64_t> bytes, firstOp, lastOp;
    std::vector<Count> madeBy, freedBy;
};

/// Refuses a column of another length than the first one; those that older recorders lack may be empty.
template <class Table, auto first, auto... columns>
void haveOneLength(const JsonField& field, Table& table) {
    const std::size_t length = (table.*first).size();
    const auto check = [&](const auto& column) {
        if (column.size() == length || !field.ok()) return;
        field.fail(fmt::format("has columns of {} and of {} entries, and all of a table are as long", length,
                               column.size()));
    };
    (check(table.*columns), ...);
}

void checkOps(const JsonField& field, OpColumns& table) {
    const std::size_t length = table.id.size();
    if (table.overload.empty()) table.overload.resize(length);
    if (table.name.empty()) table.name.resize(length);
    if (table.inputShapes.empty()) table.inputShapes.resize(length);
    if (table.start.empty()) table.start.resize(length);
    haveOneLength<OpColumns, &OpColumns::id, &OpColumns::kind, &OpColumns::overload, &OpColumns::module,
                  &OpColumns::name, &OpColumns::phase, &OpColumns::units, &OpColumns::flops,
                  &OpColumns::matmulFlops, &OpColumns::bytes, &OpColumns::isProduct, &OpColumns::inputShapes,
                  &OpColumns::reads, &OpColumns::writes, &OpColumns::seconds, &OpColumns::start>(field,
                                                                                                 table);
}

void checkTensors(const JsonField& field, TensorColumns& table) {
    const std::size_t length = table.name.size();
    if (table.role.empty()) table.role.resize(length);
    if (table.madeBy.empty()) table.madeBy.resize(length);
    if (table.freedBy.empty()) table.freedBy.resize(length);
    haveOneLength<TensorColumns, &TensorColumns::name, &TensorColumns::role, &TensorColumns::module,
                  &TensorColumns::elementType, &TensorColumns::category, &TensorColumns::shape,
                  &TensorColumns::bytes, &TensorColumns::firstOp, &TensorColumns::lastOp,
                  &TensorColumns::madeBy, &TensorColumns::freedBy>(field, table);
}

JsonType<OpColumns> jsonType(Of<OpColumns> /*type*/) {
    static constexpr JsonMember<OpColumns> kMembers[]{
        member<&OpColumns::id, TextColumn>("id", Required, "unique, the same in every step with the same op"),
        member<&OpColumns::kind, TextColumn>("kind", Required, R"("aten::addmm")"),
        member<&OpColumns::overload, TextColumn>("overload", Added, "empty: the default one"),
        member<&OpColumns::phase, Column<Named<kPhaseNames>>>("phase", Required),
        member<&OpColumns::module, TextColumn>("module", Required, "path; empty: the model itself, or none"),
        member<&OpColumns::name, TextColumn>("name", Added, "for people"),
        member<&OpColumns::flops, CountColumn>("flops", Required, "of one call; null: no formula is known"),
        member<&OpColumns::matmulFlops, Column<Whole<>>>("matmul_flops", Required, "of one call"),
        member<&OpColumns::bytes, Column<Whole<>>>("bytes", Required, "compulsory traffic; 0: a view"),
        member<&OpColumns::units, Column<Named<kDtypeNames>>>("units", Required,
                                                              "whose peak the FLOPs count against"),
        member<&OpColumns::isProduct, Column<Json<bool>>>("is_product", Required, "it multiplies matrices"),
        member<&OpColumns::inputShapes, Column<Json<std::vector<Ids>>>>("input_shapes", Added),
        member<&OpColumns::reads, Column<Json<Ids>>>("reads", Required, "indices of tensors"),
        member<&OpColumns::writes, Column<Json<Ids>>>("writes", Required, "indices of tensors"),
        member<&OpColumns::seconds, Column<Json<std::optional<double>>>>("seconds", Required,
                                                                         "of the call; null: not measured"),
        member<&OpColumns::start, Column<Json<std::optional<double>>>>(
            "start", Added, "of the call, since the beginning of the step; null: not measured")};
    return {{}, "Ops in the order of execution, in columns of one length", kMembers, checkOps};
}

JsonType<TensorColumns> jsonType(Of<TensorColumns> /*type*/) {
    static constexpr JsonMember<TensorColumns> kMembers[]{
        member<&TensorColumns::name, TextColumn>("name", Required),
        member<&TensorColumns::category, Column<Named<kCategoryNames>>>("category", Required),
        member<&TensorColumns::role, TextColumn>("role", Added, "finer than the category"),
        member<&TensorColumns::module, TextColumn>("module", Required),
        member<&TensorColumns::elementType, TextColumn>("dtype", Required),
        member<&TensorColumns::shape, Column<Json<Ids>>>("shape", Required),
        member<&TensorColumns::bytes, Column<Whole<>>>("bytes", Required, "of the storage"),
        member<&TensorColumns::firstOp, IndexColumn>("first_op", Required, "-1: before the step"),
        member<&TensorColumns::lastOp, IndexColumn>("last_op", Required,
                                                    "the number of ops: beyond the step"),
        member<&TensorColumns::madeBy, CountColumn>("made_by", Added, "index of an op; null: none"),
        member<&TensorColumns::freedBy, CountColumn>("freed_by", Added, "index of an op; null: none")};
    return {{}, "Storages of the step, in columns of one length", kMembers, checkTensors};
}

/// Tensors in the order of the file as ranges of consecutive ones.
std::vector<TensorRange> rangesOf(const Ids& ids) {
    std::vector<TensorRange> ranges;
    for (const std::int64_t id : ids) {
        if (!ranges.empty() && ranges.back().first + ranges.back().count == id)
            ++ranges.back().count;
        else
            ranges.push_back({static_cast<TensorId>(id), 1});
    }
    return ranges;
}

Ids idsOf(const std::vector<TensorRange>& ranges) {
    Ids ids;
    for (const TensorRange& range : ranges)
        for (std::int32_t i = 0; i < range.count; ++i) ids.push_back(range.first + i);
    return ids;
}

struct Tensors {
    static json write(const StepFile& file) {
        TensorColumns table;
        const auto orNone = [](std::int32_t op) { return op < 0 ? Count() : Count(op); };
        for (const RecordedTensor& tensor : file.step.tensors) {
            table.name.push_back(tensor.name);
            table.category.push_back(tensor.category);
            table.role.push_back(tensor.role);
            table.module.push_back(tensor.module);
            table.elementType.push_back(tensor.elementType);
            table.shape.push_back(tensor.shape);
            table.bytes.push_back(tensor.bytes);
            table.firstOp.push_back(tensor.firstOp);
            table.lastOp.push_back(tensor.lastOp);
            table.madeBy.push_back(orNone(tensor.madeBy));
            table.freedBy.push_back(orNone(tensor.freedBy));
        }
        return toJson(table);
    }
    static void read(const JsonField& field, StepFile& file) {
        auto table = readJson<TensorColumns>(field);
        if (!field.ok()) return;
        file.step.tensors.resize(table.name.size());
        Bytes sum = 0;
        for (std::size_t i = 0; i < table.name.size(); ++i) {
            RecordedTensor& tensor = file.step.tensors[i];
            tensor.name = std::move(table.name[i]);
            tensor.category = table.category[i];
            tensor.role = std::move(table.role[i]);
            tensor.module = std::move(table.module[i]);
            tensor.dtype = dtypeFromName(table.elementType[i]).value_or(Dtype::Fp32);
            tensor.elementType = std::move(table.elementType[i]);
            tensor.shape = std::move(table.shape[i]);
            tensor.bytes = table.bytes[i];
            tensor.firstOp = static_cast<std::int32_t>(table.firstOp[i]);
            tensor.lastOp = static_cast<std::int32_t>(table.lastOp[i]);
            tensor.madeBy = opOf(field, table.madeBy[i]);
            tensor.freedBy = opOf(field, table.freedBy[i]);
            sum = addOrOverflow(sum, tensor.bytes);
            if (tensor.lastOp < tensor.firstOp)
                return field.fail(fmt::format("say that '{:.40}' dies before it is made", tensor.name));
            if (sum < 0) return field.fail("has more bytes than 63 bits can count");
        }
    }
    static json schema(json& definitions) { return objectSchema<TensorColumns>(definitions); }

private:
    static std::int32_t opOf(const JsonField& field, const Count& op) {
        if (op.value_or(0) <= static_cast<std::int64_t>(StepFile::kMostRows))
            return static_cast<std::int32_t>(op.value_or(-1));
        field.fail(fmt::format("names the op {}, and {} is the most", *op, StepFile::kMostRows));
        return -1;
    }
};

/// Read after the tensors, which it names.
struct Ops {
    static json write(const StepFile& file) {
        OpColumns table;
        for (const RecordedOp& op : file.step.ops) {
            table.id.push_back(op.id);
            table.kind.push_back(op.kind);
            table.overload.push_back(op.overload);
            table.phase.push_back(op.phase);
            table.module.push_back(op.module);
            table.name.push_back(op.name);
            table.flops.push_back(op.hasFlops ? Count(op.flops) : Count());
            table.matmulFlops.push_back(op.matmulFlops);
            table.bytes.push_back(op.bytes);
            table.units.push_back(op.units);
            table.isProduct.push_back(op.isProduct);
            table.inputShapes.push_back(op.inputShapes);
            table.reads.push_back(idsOf(op.reads));
            table.writes.push_back(idsOf(op.writes));
            table.seconds.push_back(op.seconds);
            table.start.push_back(op.start);
        }
        return toJson(table);
    }
    static void read(const JsonField& field, StepFile& file) {
        auto table = readJson<OpColumns>(field);
        if (!field.ok()) return;
        std::unordered_set<std::string_view> ids;
        Flops flops = 0;
        Bytes bytes = 0;
        file.step.ops.resize(table.id.size());
        for (std::size_t i = 0; i < table.id.size(); ++i) {
            RecordedOp& op = file.step.ops[i];
            op.id = std::move(table.id[i]);
            op.kind = std::move(table.kind[i]);
            op.overload = std::move(table.overload[i]);
            op.phase = table.phase[i];
            op.module = std::move(table.module[i]);
            op.name = std::move(table.name[i]);
            op.hasFlops = table.flops[i].has_value();
            op.flops = table.flops[i].value_or(0);
            op.matmulFlops = table.matmulFlops[i];
            op.bytes = table.bytes[i];
            op.units = table.units[i];
            op.isProduct = table.isProduct[i];
            op.inputShapes = std::move(table.inputShapes[i]);
            op.seconds = table.seconds[i];
            op.start = table.start[i];
            if (const std::int64_t beyond = firstBeyond(table, i, file.step.tensors.size()); beyond >= 0)
                return field.fail(fmt::format("name the tensor {} at {:.60}, and there are {}", beyond, op.id,
                                              file.step.tensors.size()));
            op.reads = rangesOf(table.reads[i]);
            op.writes = rangesOf(table.writes[i]);
            if (op.matmulFlops > op.flops)
                return field.fail(fmt::format("give {:.60} more matmul FLOPs than FLOPs", op.id));
            if (!ids.insert(op.id).second) return field.fail(fmt::format("have the id {:.60} twice", op.id));
            flops = addOrOverflow(flops, op.flops);
            bytes = addOrOverflow(bytes, op.bytes);
            if (flops < 0 || bytes < 0) return field.fail("have more FLOPs or bytes than 63 bits can count");
        }
    }
    static json schema(json& definitions) { return objectSchema<OpColumns>(definitions); }

private:
    /// The first tensor that an op names and that is not there; -1: all are.
    static std::int64_t firstBeyond(const OpColumns& table, std::size_t op, std::size_t tensors) {
        for (const Ids* ids : {&table.reads[op], &table.writes[op]})
            for (const std::int64_t id : *ids)
                if (id >= static_cast<std::int64_t>(tensors)) return id;
        return -1;
    }
};

/// A text; null is an empty one.
struct TextOrNull {
    static json write(const std::string& text) { return text.empty() ? json() : json(text); }
    static std::string read(const JsonField& field) { return field.isNull() ? std::string() : field.text(); }
    static json schema(json& /*definitions*/) { return {{"type", {"string", "null"}}}; }
};

/// Losses as they stand in the file.
struct LossColumns {
    std::string source, absent;
    std::vector<std::int64_t> step;
    Texts pass;
    std::vector<double> loss, seconds;
};

void checkLosses(const JsonField& field, LossColumns& table) {
    haveOneLength<LossColumns, &LossColumns::step, &LossColumns::pass, &LossColumns::loss,
                  &LossColumns::seconds>(field, table);
    const JsonField step = field["step"];
    for (std::size_t i = 1; i < table.step.size() && field.ok(); ++i)
        if (table.step[i] <= table.step[i - 1]) step.at(i).fail("is not after the step before it");
}

JsonType<LossColumns> jsonType(Of<LossColumns> /*type*/) {
    static constexpr JsonMember<LossColumns> kMembers[]{
        member<&LossColumns::source, TextOrNull>("source", Added,
                                                 R"(what was taken for it: "step", "backward", ...)"),
        member<&LossColumns::absent, TextOrNull>("absent", Added, "why steps have none; null: all have one"),
        member<&LossColumns::step, Column<Whole<0, kMostSteps>>>("step", Required,
                                                                 "since the recording began, from 0"),
        member<&LossColumns::pass, TextColumn>("pass", Required, R"(that the step was; "W": to warm up)"),
        member<&LossColumns::loss, Column<AnyNumber>>("loss", Required, "null: it was not finite"),
        member<&LossColumns::seconds, Column<Json<double>>>("seconds", Required,
                                                            "since the recording began")};
    return {{}, "Losses of the steps of the recording, in columns of one length", kMembers, checkLosses};
}

struct Losses {
    static json write(const RecordedLosses& losses) {
        LossColumns table{.source = losses.source, .absent = losses.absent};
        for (const RecordedLoss& each : losses.steps) {
            table.step.push_back(each.step);
            table.pass.push_back(each.pass);
            table.loss.push_back(each.loss);
            table.seconds.push_back(each.seconds);
        }
        return toJson(table);
    }
    static RecordedLosses read(const JsonField& field) {
        auto table = readJson<LossColumns>(field);
        RecordedLosses losses{std::move(table.source), std::move(table.absent), {}};
        for (std::size_t i = 0; i < table.step.size() && field.ok(); ++i)
            losses.steps.push_back(
                {table.step[i], std::move(table.pass[i]), table.loss[i], table.seconds[i]});
        return losses;
    }
    static json schema(json& definitions) { return objectSchema<LossColumns>(definitions); }
};

/// An object of which one member of the file is the only field of interest.
template <const JsonMember<StepFile>& each>
struct Around {
    static json write(const StepFile& file) { return writeObject(type(), file); }
    static void read(const JsonField& field, StepFile& file) {
        if (field.expectObject()) readMembers(type(), field, file);
    }
    static json schema(json& definitions) { return objectSchema(type(), definitions); }

private:
    static JsonType<StepFile> type() { return {{}, {}, {&each, 1}}; }
};
constexpr JsonMember<StepFile> kStepSeconds = member<&StepFile::stepSeconds, Column<Positive>>(
    "step_seconds", Required, "of steps that only the clock watched");
constexpr JsonMember<StepFile> kRecordingSeconds =
    member<&StepFile::recordingSeconds>("pass_s_seconds", Added, "of the step that was written down");

struct Format {
    static json write(const StepFile& /*file*/) { return StepFile::kFormat; }
    static void read(const JsonField& field, StepFile& /*file*/) {
        if (field.text() != StepFile::kFormat) field.fail(R"(is not "plumbline.step")");
    }
    static json schema(json& /*definitions*/) { return {{"const", StepFile::kFormat}}; }
};
struct Version {
    static json write(const StepFile& /*file*/) { return StepFile::kVersion; }
    static void read(const JsonField& field, StepFile& /*file*/) {
        if (const std::int64_t version = field.count(1); field.ok() && version > StepFile::kVersion)
            field.fail(fmt::format("is {}, and this program reads up to {}", version, StepFile::kVersion));
    }
    static json schema(json& /*definitions*/) { return {{"const", StepFile::kVersion}}; }
};
struct Origin {
    static json write(const StepFile& file) { return file.prediction ? "predicted" : "measured"; }
    static void read(const JsonField& field, StepFile& /*file*/) {
        if (const std::string source = field.text(); source != "measured" && source != "predicted")
            field.fail(R"(is neither "measured" nor "predicted")");
    }
    static json schema(json& /*definitions*/) { return {{"enum", {"measured", "predicted"}}}; }
};

void checkFile(const JsonField& field, StepFile& file) {
    if (file.step.ops.empty()) field.fail("has no op");
    const std::int32_t ops = file.step.opCount();
    for (const RecordedTensor& tensor : file.step.tensors)
        if (std::max(tensor.lastOp, std::max(tensor.madeBy, tensor.freedBy)) > ops)
            return field.fail(fmt::format("has a tensor '{:.40}' of ops that it has not", tensor.name));
    file.step.addUp();
}

}  // namespace

JsonType<RecordingEnvironment> jsonType(Of<RecordingEnvironment> /*type*/) {
    using Environment = RecordingEnvironment;
    static constexpr JsonMember<Environment> kMembers[]{
        member<&Environment::torch>("torch", Added, "version"),
        member<&Environment::python>("python", Added, "version"),
        member<&Environment::system>("system", Added),
        member<&Environment::device>("device", Added, R"("cpu" or "cuda")"),
        member<&Environment::threads>("threads", Added),
        member<&Environment::deviceName>("device_name", IfSet)};
    return {{}, {}, kMembers};
}

JsonType<AllocatorReading> jsonType(Of<AllocatorReading> /*type*/) {
    using Allocator = AllocatorReading;
    static constexpr JsonMember<Allocator> kMembers[]{
        member<&Allocator::startBytes>("start_bytes", Added, "alive at the beginning"),
        member<&Allocator::peakBytes>("allocator_peak_bytes", Added, "most that was given out at once"),
        member<&Allocator::insideLibrariesBytes>("inside_libraries_bytes", Added,
                                                 "of that, what no tensor accounts for"),
        member<&Allocator::roundedPeakBytes>("rounded_peak_bytes", IfSet, "each storage in whole blocks"),
        member<&Allocator::reservedPeakBytes>("reserved_peak_bytes", IfSet, "segments of the allocator"),
        member<&Allocator::libraryBytes>("library_bytes", IfSet, "workspaces of libraries, in both")};
    return {{}, {}, kMembers};
}

JsonType<RecorderPrediction> jsonType(Of<RecorderPrediction> /*type*/) {
    using Predicted = RecorderPrediction;
    static constexpr JsonMember<Predicted> kMembers[]{
        member<&Predicted::device>("device", IfSet),
        member<&Predicted::deviceBytes>("device_bytes", Added),
        member<&Predicted::fits>("fits", Added, "null: the device's memory is not known"),
        member<&Predicted::seconds>("seconds", Added),
        member<&Predicted::secondsLow>("seconds_low", Added),
        member<&Predicted::secondsHigh>("seconds_high", Added),
        member<&Predicted::tier>("tier", IfSet)};
    return {{}, {}, kMembers};
}

JsonType<MissingFormula> jsonType(Of<MissingFormula> /*type*/) {
    static constexpr JsonMember<MissingFormula> kMembers[]{
        member<&MissingFormula::kind>("kind", Required), member<&MissingFormula::ops>("ops", Required),
        member<&MissingFormula::shareOfTime>("share_of_time", Added, "0 to 1")};
    return {{}, {}, kMembers};
}

JsonType<StepFile> jsonType(Of<StepFile> /*type*/) {
    static constexpr JsonMember<StepFile> kMembers[]{
        custom<StepFile, Format>("format", Required),
        custom<StepFile, Version>("version", Required),
        member<&StepFile::created>("created", Required, "ISO 8601, UTC"),
        member<&StepFile::program>("program", Required),
        member<&StepFile::step, &RecordedStep::stepTitle>("title", Required),
        custom<StepFile, Origin>("source", Required),
        member<&StepFile::environment>("environment", Added),
        member<&StepFile::step, &RecordedStep::samples>("samples", Added),
        member<&StepFile::parameters>("parameters", Added, "tied ones once"),
        member<&StepFile::step, &RecordedStep::productDtype, Named<kDtypeNames>>(
            "product_dtype", Added, "whose peak an MFU is a share of"),
        custom<StepFile, Tensors>("tensors", Required),
        custom<StepFile, Ops>("ops", Required),
        member<&StepFile::allocator>("memory", Added),
        custom<StepFile, Around<kStepSeconds>>("measured", Added),
        custom<StepFile, Around<kRecordingSeconds>>("recording", Added),
        member<&StepFile::losses, Losses>("losses", Added, "of the steps of the recording"),
        member<&StepFile::prediction>("predicted", IfSet),
        member<&StepFile::missingFormulas>("missing_formulas", Added),
        member<&StepFile::said>("said", Added, "what could not be recorded, a sentence each")};
    return {"plumbline.step", "One training step of another program (docs/step-file.md)", kMembers,
            checkFile};
}

json toJson(const StepFile& file) { return writeObject(jsonType(Of<StepFile>{}), file); }

json toJson(const RecordedLosses& losses) { return Losses::write(losses); }

Result<StepFile> parseStepFile(std::string_view text, const std::string& path, const ReadControl& control) {
    constexpr double kDocumentBuilt = 0.75;  // of the time
    JsonInspector inspector(path, kMostStepDocumentBytes);
    PLUMB_TRY(const json document, parseJson(text, path, inspector, control.part(0, kDocumentBuilt)));
    JsonField::Problem problem;
    const JsonField root(document, "step", problem);
    auto file = readJson<StepFile>(root);
    if (control.isStopped()) return readingStopped(path);
    if (problem)
        return badFile(path, problem->message,
                       "record the step again with the newest plumbline-profiler, or open another file");
    return file;
}

}  // namespace plumb
