// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol_json.h"
#include "core/model/config_json.h"

namespace plumb::protocol {

using nlohmann::json;

json messageJson(std::int64_t id, std::string_view type) { return json{{"id", id}, {"type", type}}; }

Result<json> parseMessage(std::string_view line) {
    PLUMB_TRY(json message, parseJson(line, "the message"));
    if (!message.is_object())
        return Error{ErrorCode::BadInput, "the message is not a JSON object",
                     "write one object with a \"type\" a line"};
    return message;
}

json helloJson(std::int64_t id, const Hello& hello) {
    json message = messageJson(id, "hello");
    message["version"] = hello.version;
    message["program"] = hello.program;
    return message;
}

Hello readHello(const JsonField& message) {
    Hello hello;
    const JsonField version = message["version"];
    hello.version = static_cast<int>(version.count(1, INT32_MAX));
    hello.program = message["program"].textOr("");
    if (message.ok() && hello.version != kVersion)
        version.fail("is " + std::to_string(hello.version) + ", and this program speaks version " +
                     std::to_string(kVersion) +
                     " of the engine protocol: install the same Plumbline on both sides");
    return hello;
}

namespace {

struct CommandWriter {
    std::int64_t id;
    json operator()(const Hello& hello) const { return helloJson(id, hello); }
    json operator()(const Run& run) const {
        json message = work("run", run.config, run.steps);
        // Absent where there is nothing to say: most runs keep no checkpoints.
        if (!run.checkpoints.folder.empty()) {
            message["checkpoint_dir"] = run.checkpoints.folder;
            message["save_every"] = run.checkpoints.saveEvery;
            message["keep"] = run.checkpoints.keepLast;
        }
        if (!run.resumeFrom.empty()) message["resume"] = run.resumeFrom;
        return message;
    }
    json operator()(const Profile& profile) const {
        json message = work("profile", profile.config, profile.steps);
        if (profile.counters) message["counters"] = detailName(*profile.counters);
        return message;
    }
    json operator()(Pause) const { return messageJson(id, "pause"); }
    json operator()(Resume) const { return messageJson(id, "resume"); }
    json operator()(Stop) const { return messageJson(id, "stop"); }
    json operator()(Calibrate) const { return messageJson(id, "calibrate"); }
    json operator()(Devices) const { return messageJson(id, "devices"); }
    json operator()(const Inspect& inspect) const { return with("inspect", fieldsOf(inspect)); }
    json operator()(const TimeEinsum& question) const { return with("time_einsum", fieldsOf(question)); }
    json operator()(Quit) const { return messageJson(id, "quit"); }

private:
    [[nodiscard]] json with(std::string_view type, const json& fields) const {
        json message = messageJson(id, type);
        message.update(fields);
        return message;
    }
    [[nodiscard]] json work(std::string_view type, const RunConfig& config, std::int64_t steps) const {
        json message = messageJson(id, type);
        message["config"] = toJson(config);
        message["steps"] = steps;
        return message;
    }
};

Run readRun(const JsonField& message) {
    Run run;
    run.config = readConfig(message["config"]);
    const JsonField steps = message["steps"], every = message["save_every"], keep = message["keep"];
    if (!steps.isNull()) run.steps = steps.count();
    run.checkpoints.folder = message["checkpoint_dir"].textOr("");
    if (!every.isNull()) run.checkpoints.saveEvery = every.count();
    if (!keep.isNull()) run.checkpoints.keepLast = keep.count(1);
    run.resumeFrom = message["resume"].textOr("");
    return run;
}

Profile readProfile(const JsonField& message) {
    Profile profile;
    profile.config = readConfig(message["config"]);
    const JsonField steps = message["steps"], counters = message["counters"];
    if (!steps.isNull()) profile.steps = steps.count(1);
    if (counters.isNull()) return profile;
    const auto detail = counterDetailFromName(counters.text());
    if (detail.has_value())
        profile.counters = *detail;
    else if (message.ok())
        counters.fail("is " + detail.error().message + ": " + detail.error().hint);
    return profile;
}

}  // namespace

std::string encode(const Command& command) {
    return dumpJson(std::visit(CommandWriter{command.id}, command.body));
}

Result<Command> parseCommand(std::string_view line) {
    PLUMB_TRY(const json document, parseMessage(line));
    JsonField::Problem problem;
    const JsonField message(document, "", problem);
    Result<Command> result{Command{}};
    Command& command = *result;
    if (const JsonField id = message["id"]; !id.isNull()) command.id = id.count();
    const JsonField typeField = message["type"];
    const std::string type = typeField.text();
    if (type == "hello")
        command.body = readHello(message);
    else if (type == "run") {
        command.body = readRun(message);
    } else if (type == "profile") {
        command.body = readProfile(message);
    } else if (type == "pause")
        command.body = Pause{};
    else if (type == "resume")
        command.body = Resume{};
    else if (type == "stop")
        command.body = Stop{};
    else if (type == "calibrate")
        command.body = Calibrate{};
    else if (type == "devices")
        command.body = Devices{};
    else if (type == "inspect")
        command.body = readInspect(message);
    else if (type == "time_einsum")
        command.body = readTimeEinsum(message);
    else if (type == "quit")
        command.body = Quit{};
    else
        typeField.fail("is '" + type.substr(0, 40) + "', which is no command of the engine");
    if (problem)
        return Error{ErrorCode::BadInput, "the message cannot be used: " + problem->message,
                     "check that both sides are the same version of Plumbline"};
    return result;
}

}  // namespace plumb::protocol
