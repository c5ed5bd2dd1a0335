// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/protocol.h"
#include "core/io/json_fields.h"

namespace plumb::protocol {

/// A message that is about to be written: "id" and "type" filled in.
[[nodiscard]] nlohmann::json messageJson(std::int64_t id, std::string_view type);

/// The document of a line. Errors: BadInput for what is not one JSON object.
[[nodiscard]] Result<nlohmann::json> parseMessage(std::string_view line);

// The lab's messages (protocol_lab.cpp): their fields besides id and type.
[[nodiscard]] nlohmann::json fieldsOf(const Inspect& inspect);
[[nodiscard]] nlohmann::json fieldsOf(const TimeEinsum& question);
[[nodiscard]] nlohmann::json fieldsOf(const TensorValues& values);
[[nodiscard]] nlohmann::json fieldsOf(const EinsumTimed& timed);
[[nodiscard]] Inspect readInspect(const JsonField& message);
[[nodiscard]] TimeEinsum readTimeEinsum(const JsonField& message);
[[nodiscard]] TensorValues readTensorValues(const JsonField& message);
[[nodiscard]] EinsumTimed readEinsumTimed(const JsonField& message);

// The list of devices (protocol_devices.cpp), likewise.
[[nodiscard]] nlohmann::json fieldsOf(const DeviceList& list);
[[nodiscard]] DeviceList readDevices(const JsonField& message);

[[nodiscard]] nlohmann::json helloJson(std::int64_t id, const Hello& hello);
/// A problem for another protocol version, which says what to do about it.
[[nodiscard]] Hello readHello(const JsonField& message);

}  // namespace plumb::protocol
