// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol_json.h"
#include "core/machine/machine_json.h"
#include "core/measure/fit_proof_json.h"
#include "core/measure/reading_json.h"
#include "core/measure/step_metrics_json.h"
#include "core/measure/telemetry_json.h"
#include "core/measure/training_json.h"

namespace plumb {

using enum Presence;

JsonType<Error> jsonType(Of<Error> /*type*/) {
    static constexpr auto kCodes = enumNames<ErrorCode>({{ErrorCode::BadInput, "bad_input"},
                                                         {ErrorCode::RunFailed, "run_failed"},
                                                         {ErrorCode::Unavailable, "unavailable"},
                                                         {ErrorCode::OutOfMemory, "out_of_memory"},
                                                         {ErrorCode::DeviceLost, "device_lost"},
                                                         {ErrorCode::Io, "io"},
                                                         {ErrorCode::Internal, "internal"}});
    static constexpr JsonMember<Error> kMembers[]{member<&Error::code, Named<kCodes>>("code", Required),
                                                  member<&Error::message>("message", Required),
                                                  member<&Error::hint>("hint", Always)};
    return {"error", {}, kMembers};
}

JsonType<CheckpointReport> jsonType(Of<CheckpointReport> /*type*/) {
    static constexpr JsonMember<CheckpointReport> kMembers[]{
        member<&CheckpointReport::path>("path", Required),
        member<&CheckpointReport::step>("step", Required),
        member<&CheckpointReport::bytes>("bytes", Required),
        member<&CheckpointReport::copySeconds>("copy_seconds", Required),
        member<&CheckpointReport::writeSeconds>("seconds", Required),
        member<&CheckpointReport::failure>("failure", Always)};
    return {{}, {}, kMembers};
}

namespace protocol {

namespace {

using nlohmann::json;

constexpr auto kStateNames = enumNames<EngineState>({{EngineState::Idle, "idle"},
                                                     {EngineState::Running, "running"},
                                                     {EngineState::Paused, "paused"},
                                                     {EngineState::Profiling, "profiling"},
                                                     {EngineState::Calibrating, "calibrating"},
                                                     {EngineState::Timing, "timing"},
                                                     {EngineState::Proving, "proving"}});

/// Null for a loss that is not finite.
struct HoldOut {
    static json write(const HoldOutEvent& event) {
        return {{"step", event.loss.step}, {"loss", numberJson(event.loss.loss)}};
    }
    static void read(const JsonField& field, HoldOutEvent& event) {
        event.loss = {field["step"].count(), field["loss"].numberOrNan()};
    }
    static json schema(json& definitions) {
        return {{"properties",
                 {{"step", Whole<>::schema(definitions)}, {"loss", AnyNumber::schema(definitions)}}}};
    }
};

}  // namespace

JsonType<State> jsonType(Of<State> /*type*/) {
    static constexpr JsonMember<State> kMembers[]{
        member<&State::state, Named<kStateNames>>("state", Required)};
    return {"state", {}, kMembers};
}

JsonType<LossBatch> jsonType(Of<LossBatch> /*type*/) {
    static constexpr JsonMember<LossBatch> kMembers[]{
        custom<LossBatch, StepColumns<&LossBatch::points>>({}, Required),
        member<&LossBatch::stepsDone>("steps_done", Required),
        member<&LossBatch::skippedSteps>("skipped_steps", Added),
        member<&LossBatch::stepsPerSecond>("steps_per_second", Always)};
    return {"loss", {}, kMembers};
}

JsonType<StatisticsEvent> jsonType(Of<StatisticsEvent> /*type*/) {
    static constexpr JsonMember<StatisticsEvent> kMembers[]{
        member<&StatisticsEvent::statistics>("statistics", Required)};
    return {"statistics", {}, kMembers};
}

JsonType<HoldOutEvent> jsonType(Of<HoldOutEvent> /*type*/) {
    static constexpr JsonMember<HoldOutEvent> kMembers[]{custom<HoldOutEvent, HoldOut>({}, Required)};
    return {"hold_out", {}, kMembers};
}

JsonType<DeviceEvent> jsonType(Of<DeviceEvent> /*type*/) {
    static constexpr JsonMember<DeviceEvent> kMembers[]{inlined<&DeviceEvent::moment>()};
    return {"device", {}, kMembers};
}

JsonType<ReadingEvent> jsonType(Of<ReadingEvent> /*type*/) {
    static constexpr JsonMember<ReadingEvent> kMembers[]{
        member<&ReadingEvent::measured>("measured", Required)};
    return {"reading", {}, kMembers};
}

JsonType<Progress> jsonType(Of<Progress> /*type*/) {
    static constexpr JsonMember<Progress> kMembers[]{member<&Progress::what>("what", Required),
                                                     member<&Progress::done>("done", Required),
                                                     member<&Progress::total>("total", Required)};
    return {"progress", {}, kMembers};
}

JsonType<Calibrated> jsonType(Of<Calibrated> /*type*/) {
    static constexpr JsonMember<Calibrated> kMembers[]{member<&Calibrated::machine>("machine", Required)};
    return {"calibrated", {}, kMembers};
}

JsonType<ErrorEvent> jsonType(Of<ErrorEvent> /*type*/) {
    static constexpr JsonMember<ErrorEvent> kMembers[]{inlined<&ErrorEvent::error>()};
    return {"error", {}, kMembers};
}

JsonType<CheckpointEvent> jsonType(Of<CheckpointEvent> /*type*/) {
    static constexpr JsonMember<CheckpointEvent> kMembers[]{inlined<&CheckpointEvent::report>()};
    return {"checkpoint", {}, kMembers};
}

JsonType<Proved> jsonType(Of<Proved> /*type*/) {
    static constexpr JsonMember<Proved> kMembers[]{member<&Proved::proof>("proof", Required)};
    return {"proved", {}, kMembers};
}

JsonType<Began> jsonType(Of<Began> /*type*/) {
    static constexpr JsonMember<Began> kMembers[]{member<&Began::run>("run", Required)};
    return {"began", {}, kMembers};
}

JsonType<Recorded> jsonType(Of<Recorded> /*type*/) {
    static constexpr JsonMember<Recorded> kMembers[]{member<&Recorded::path>("path", Required)};
    return {"recorded", {}, kMembers};
}

JsonType<Finished> jsonType(Of<Finished> /*type*/) {
    static constexpr JsonMember<Finished> kMembers[]{member<&Finished::outcome>("outcome", Required),
                                                     member<&Finished::stepsDone>("steps_done", Required)};
    return {"finished", {}, kMembers};
}

JsonType<Missed> jsonType(Of<Missed> /*type*/) {
    static constexpr JsonMember<Missed> kMembers[]{member<&Missed::count>("count", Required)};
    return {"missed", {}, kMembers};
}

JsonType<TakenOver> jsonType(Of<TakenOver> /*type*/) { return {"taken_over"}; }

std::string encode(const Event& event) { return encodeMessage(event); }

Result<Event> parseEvent(std::string_view line) { return parseAs<Event>(line, "event"); }

}  // namespace protocol
}  // namespace plumb
