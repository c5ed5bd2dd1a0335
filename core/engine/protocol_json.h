// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/protocol.h"
#include "core/io/json_type.h"

#include <variant>

// The messages, each described by its fields; the name of its description is its "type".
namespace plumb::protocol {

JsonType<Hello> jsonType(Of<Hello>);
JsonType<Run> jsonType(Of<Run>);
JsonType<Profile> jsonType(Of<Profile>);
JsonType<Pause> jsonType(Of<Pause>);
JsonType<Resume> jsonType(Of<Resume>);
JsonType<Stop> jsonType(Of<Stop>);
JsonType<Calibrate> jsonType(Of<Calibrate>);
JsonType<Devices> jsonType(Of<Devices>);
JsonType<Inspect> jsonType(Of<Inspect>);
JsonType<TimeEinsum> jsonType(Of<TimeEinsum>);
JsonType<Prove> jsonType(Of<Prove>);
JsonType<Quit> jsonType(Of<Quit>);

JsonType<State> jsonType(Of<State>);
JsonType<LossBatch> jsonType(Of<LossBatch>);
JsonType<ReadingEvent> jsonType(Of<ReadingEvent>);
JsonType<StatisticsEvent> jsonType(Of<StatisticsEvent>);
JsonType<Progress> jsonType(Of<Progress>);
JsonType<DeviceList> jsonType(Of<DeviceList>);
JsonType<Calibrated> jsonType(Of<Calibrated>);
JsonType<ErrorEvent> jsonType(Of<ErrorEvent>);
JsonType<Finished> jsonType(Of<Finished>);
JsonType<Missed> jsonType(Of<Missed>);
JsonType<TakenOver> jsonType(Of<TakenOver>);
JsonType<CheckpointEvent> jsonType(Of<CheckpointEvent>);
JsonType<TensorValues> jsonType(Of<TensorValues>);
JsonType<EinsumTimed> jsonType(Of<EinsumTimed>);
JsonType<HoldOutEvent> jsonType(Of<HoldOutEvent>);
JsonType<DeviceEvent> jsonType(Of<DeviceEvent>);
JsonType<Recorded> jsonType(Of<Recorded>);
JsonType<Proved> jsonType(Of<Proved>);
JsonType<Began> jsonType(Of<Began>);

/// The document of a line. Errors: BadInput for what is not one JSON object.
[[nodiscard]] Result<nlohmann::json> parseMessage(std::string_view line);

template <class Message>
[[nodiscard]] std::string encodeMessage(const Message& message) {
    return std::visit(
        [&]<class Body>(const Body& body) {
            nlohmann::json document = toJson(body);
            document["id"] = message.id;
            document["type"] = jsonType(Of<Body>{}).name;
            if constexpr (requires { message.sequence; })
                if (message.sequence > 0) document["seq"] = message.sequence;
            return dumpJson(document);
        },
        message.body);
}

/// Reads `body` as the alternative that has this type; false when there is none.
template <class... Bodies>
[[nodiscard]] bool readBody(const JsonField& message, std::string_view type, std::variant<Bodies...>& body) {
    const auto isRead = [&]<class Body>(Of<Body> /*alternative*/) {
        if (jsonType(Of<Body>{}).name != type) return false;
        readMembers(message, body.template emplace<Body>());
        return true;
    };
    return (isRead(Of<Bodies>{}) || ...);
}

/// `what`: "command", as the refusal of an unknown type calls it.
template <class Message>
[[nodiscard]] Result<Message> parseAs(std::string_view line, const char* what) {
    PLUMB_TRY(const nlohmann::json document, parseMessage(line));
    JsonField::Problem problem;
    const JsonField field(document, "", problem);
    Result<Message> message{Message{}};
    if (const JsonField id = field["id"]; !id.isNull()) message->id = id.count();
    if constexpr (requires { message->sequence; })
        if (const JsonField sequence = field["seq"]; !sequence.isNull()) message->sequence = sequence.count();
    const JsonField typeField = field["type"];
    const std::string type = typeField.text();
    if (!readBody(field, type, message->body))
        typeField.fail("is '" + type.substr(0, 40) + "', which is no " + what + " of the engine");
    if (problem)
        return Error{ErrorCode::BadInput, "the message cannot be used: " + problem->message,
                     "check that both sides are the same version of Plumbline"};
    return message;
}

}  // namespace plumb::protocol
