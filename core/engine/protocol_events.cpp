// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol_json.h"
#include "core/io/json_names.h"
#include "core/io/json_values.h"
#include "core/machine/machine_json.h"
#include "core/measure/reading_json.h"
#include "core/measure/step_metrics_json.h"
#include "core/measure/training_json.h"

#include <array>

namespace plumb::protocol {

namespace {

using nlohmann::json;

constexpr auto kStateNames = enumNames<EngineState>({{EngineState::Idle, "idle"},
                                                     {EngineState::Running, "running"},
                                                     {EngineState::Paused, "paused"},
                                                     {EngineState::Profiling, "profiling"},
                                                     {EngineState::Calibrating, "calibrating"},
                                                     {EngineState::Timing, "timing"}});
constexpr auto kCodeNames = enumNames<ErrorCode>({{ErrorCode::BadInput, "bad_input"},
                                                  {ErrorCode::RunFailed, "run_failed"},
                                                  {ErrorCode::Unavailable, "unavailable"},
                                                  {ErrorCode::OutOfMemory, "out_of_memory"},
                                                  {ErrorCode::Io, "io"},
                                                  {ErrorCode::Internal, "internal"}});

json errorJson(const Error& error) {
    return {{"code", kCodeNames.name(error.code)}, {"message", error.message}, {"hint", error.hint}};
}

Error readError(const JsonField& field) {
    return Error{readName(field["code"], kCodeNames), field["message"].text(), field["hint"].textOr("")};
}

struct EventWriter {
    std::int64_t id;

    json operator()(const Hello& hello) const { return helloJson(id, hello); }
    json operator()(const State& state) const {
        return with("state", {{"state", kStateNames.name(state.state)}});
    }
    json operator()(const LossBatch& batch) const {
        json message = with("loss", {{"steps_done", batch.stepsDone},
                                     {"skipped_steps", batch.skippedSteps},
                                     {"steps_per_second", numberJson(batch.stepsPerSecond)}});
        putSteps(message, batch.points);
        return message;
    }
    json operator()(const StatisticsEvent& event) const {
        return with("statistics", {{"statistics", toJson(event.statistics)}});
    }
    json operator()(const HoldOutEvent& event) const {
        return with("hold_out", {{"step", event.loss.step}, {"loss", numberJson(event.loss.loss)}});
    }
    json operator()(const ReadingEvent& event) const {
        return with("reading", {{"measured", toJson(event.measured)}});
    }
    json operator()(const Progress& progress) const {
        return with("progress",
                    {{"what", progress.what}, {"done", progress.done}, {"total", progress.total}});
    }
    json operator()(const DeviceList& list) const { return with("devices", fieldsOf(list)); }
    json operator()(const Calibrated& event) const {
        return with("calibrated", {{"machine", toJson(event.machine)}});
    }
    json operator()(const ErrorEvent& event) const { return with("error", errorJson(event.error)); }
    json operator()(const CheckpointEvent& event) const {
        const CheckpointReport& report = event.report;
        return with("checkpoint", {{"path", report.path},
                                   {"step", report.step},
                                   {"bytes", report.bytes},
                                   {"copy_seconds", numberJson(report.copySeconds)},
                                   {"seconds", numberJson(report.writeSeconds)},
                                   {"failure", report.failure ? errorJson(*report.failure) : json()}});
    }
    json operator()(const TensorValues& values) const { return with("tensor_values", fieldsOf(values)); }
    json operator()(const EinsumTimed& timed) const { return with("einsum_timed", fieldsOf(timed)); }
    json operator()(const Finished& event) const {
        return with("finished", {{"outcome", event.outcome}, {"steps_done", event.stepsDone}});
    }

private:
    [[nodiscard]] json with(std::string_view type, json fields) const {
        fields["id"] = id;
        fields["type"] = type;
        return fields;
    }
};

LossBatch readLossBatch(const JsonField& message) {
    LossBatch batch;
    batch.points = readSteps(message);
    if (!message.ok()) return batch;
    batch.stepsDone = message["steps_done"].count();
    if (const JsonField skipped = message["skipped_steps"]; !skipped.isNull())
        batch.skippedSteps = skipped.count();
    batch.stepsPerSecond = message["steps_per_second"].numberOrNull().value_or(0);
    return batch;
}

CheckpointReport readCheckpointReport(const JsonField& message) {
    CheckpointReport report;
    report.path = message["path"].text();
    report.step = message["step"].count();
    report.bytes = message["bytes"].count();
    report.copySeconds = message["copy_seconds"].number();
    report.writeSeconds = message["seconds"].number();
    const JsonField failure = message["failure"];
    if (!failure.isNull()) report.failure = readError(failure);
    return report;
}

}  // namespace

std::string encode(const Event& event) { return dumpJson(std::visit(EventWriter{event.id}, event.body)); }

Result<Event> parseEvent(std::string_view line) {
    PLUMB_TRY(const json document, parseMessage(line));
    JsonField::Problem problem;
    const JsonField message(document, "", problem);
    Result<Event> result{Event{}};
    Event& event = *result;
    if (const JsonField id = message["id"]; !id.isNull()) event.id = id.count();
    const JsonField typeField = message["type"];
    const std::string type = typeField.text();
    if (type == "hello")
        event.body = readHello(message);
    else if (type == "state")
        event.body = State{readName(message["state"], kStateNames)};
    else if (type == "loss")
        event.body = readLossBatch(message);
    else if (type == "reading")
        event.body = ReadingEvent{readReading(message["measured"])};
    else if (type == "statistics")
        event.body = StatisticsEvent{readStatistics(message["statistics"])};
    else if (type == "hold_out")
        event.body = HoldOutEvent{{message["step"].count(), message["loss"].numberOrNan()}};
    else if (type == "progress")
        event.body = Progress{message["what"].text(), message["done"].count(), message["total"].count()};
    else if (type == "devices")
        event.body = readDevices(message);
    else if (type == "calibrated")
        event.body = Calibrated{readJson<Machine>(message["machine"])};
    else if (type == "error")
        event.body = ErrorEvent{readError(message)};
    else if (type == "checkpoint")
        event.body = CheckpointEvent{readCheckpointReport(message)};
    else if (type == "tensor_values")
        event.body = readTensorValues(message);
    else if (type == "einsum_timed")
        event.body = readEinsumTimed(message);
    else if (type == "finished")
        event.body = Finished{message["outcome"].text(), message["steps_done"].count()};
    else
        typeField.fail("is '" + type.substr(0, 40) + "', which is no event of the engine");
    if (problem)
        return Error{ErrorCode::BadInput, "the message cannot be used: " + problem->message,
                     "check that both sides are the same version of Plumbline"};
    return result;
}

}  // namespace plumb::protocol
