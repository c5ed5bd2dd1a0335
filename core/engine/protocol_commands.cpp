// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol_json.h"
#include "core/model/config_json.h"

namespace plumb::protocol {

using nlohmann::json;
using enum Presence;

Result<json> parseMessage(std::string_view line) {
    PLUMB_TRY(json message, parseJson(line, "the message"));
    if (!message.is_object())
        return Error{ErrorCode::BadInput, "the message is not a JSON object",
                     "write one object with a \"type\" a line"};
    return message;
}

namespace {

/// Absent where there is nothing to say: most runs keep no checkpoints.
struct Checkpoints {
    static json write(const Run& run) {
        if (run.checkpoints.folder.empty()) return json::object();
        return {{"checkpoint_dir", run.checkpoints.folder},
                {"save_every", run.checkpoints.saveEvery},
                {"keep", run.checkpoints.keepLast}};
    }
    static void read(const JsonField& field, Run& run) {
        const JsonField every = field["save_every"], keep = field["keep"];
        run.checkpoints.folder = field["checkpoint_dir"].textOr("");
        if (!every.isNull()) run.checkpoints.saveEvery = every.count();
        if (!keep.isNull()) run.checkpoints.keepLast = keep.count(1);
    }
    static json schema(json& definitions) {
        return {{"properties",
                 {{"checkpoint_dir", Json<std::string>::schema(definitions)},
                  {"save_every", Whole<>::schema(definitions)},
                  {"keep", Whole<1>::schema(definitions)}}}};
    }
};

}  // namespace

JsonType<Hello> jsonType(Of<Hello> /*type*/) {
    static constexpr JsonMember<Hello> kMembers[]{
        member<&Hello::version, Whole<1, INT32_MAX>>("version", Required),
        member<&Hello::program>("program", Always), member<&Hello::session>("session", IfSet),
        member<&Hello::after>("after", IfSet), member<&Hello::lastCommand>("last_command", IfSet)};
    static constexpr auto kCheck = [](const JsonField& field, Hello& hello) {
        if (hello.version == kVersion) return;
        field["version"].fail("is " + std::to_string(hello.version) + ", and this program speaks version " +
                              std::to_string(kVersion) +
                              " of the engine protocol: install the same Plumbline on both sides");
    };
    return {"hello", {}, kMembers, kCheck};
}

JsonType<Run> jsonType(Of<Run> /*type*/) {
    static constexpr JsonMember<Run> kMembers[]{
        member<&Run::config>("config", Required), member<&Run::steps>("steps", Always),
        custom<Run, Checkpoints>({}, IfSet), member<&Run::resumeFrom>("resume", IfSet),
        member<&Run::device>("device", IfSet)};
    return {"run", {}, kMembers};
}

JsonType<Profile> jsonType(Of<Profile> /*type*/) {
    static constexpr JsonMember<Profile> kMembers[]{
        member<&Profile::config>("config", Required), member<&Profile::steps, Whole<1>>("steps", Always),
        member<&Profile::counters, Maybe<Named<kCounterDetailNames>>>("counters", IfSet),
        member<&Profile::device>("device", IfSet)};
    return {"profile", {}, kMembers};
}

JsonType<Prove> jsonType(Of<Prove> /*type*/) {
    static constexpr JsonMember<Prove> kMembers[]{
        member<&Prove::config>("config", Required),
        member<&Prove::memoryLimit, Maybe<Whole<1>>>("memory_limit", IfSet),
        member<&Prove::device>("device", IfSet)};
    return {"prove", {}, kMembers};
}

JsonType<Pause> jsonType(Of<Pause> /*type*/) { return {"pause"}; }
JsonType<Resume> jsonType(Of<Resume> /*type*/) { return {"resume"}; }
JsonType<Stop> jsonType(Of<Stop> /*type*/) { return {"stop"}; }
JsonType<Calibrate> jsonType(Of<Calibrate> /*type*/) {
    static constexpr JsonMember<Calibrate> kMembers[]{member<&Calibrate::device>("device", IfSet)};
    return {"calibrate", {}, kMembers};
}
JsonType<Devices> jsonType(Of<Devices> /*type*/) {
    static constexpr JsonMember<Devices> kMembers[]{member<&Devices::python>("python", IfSet)};
    return {"devices", {}, kMembers};
}
JsonType<Quit> jsonType(Of<Quit> /*type*/) { return {"quit"}; }

std::optional<Hello> helloOf(std::string_view line) {
    const Heading heading = headingOf(line);
    if (heading.type != "hello") return std::nullopt;
    const Result<json> message = parseMessage(line);
    if (!message.has_value()) return std::nullopt;
    JsonField::Problem problem;
    const JsonField field(*message, "", problem);
    Hello hello{static_cast<int>(field["version"].count(1, INT32_MAX)), field["program"].textOr("")};
    if (problem) return std::nullopt;
    return hello;
}

std::string encode(const Command& command) { return encodeMessage(command); }

Result<Command> parseCommand(std::string_view line) { return parseAs<Command>(line, "command"); }

}  // namespace plumb::protocol
