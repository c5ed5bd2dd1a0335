// SPDX-License-Identifier: Apache-2.0
#include "core/io/event_file.h"

#include "core/base/little_endian.h"

#include <array>

namespace plumb {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78U;  // of Castagnoli, the lowest bit first
constexpr std::uint32_t kMaskDelta = 0xA282EAD8U;

constexpr std::array<std::uint32_t, 256> tableOfBytes() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? kPolynomial : 0U);
        table[byte] = value;
    }
    return table;
}
constexpr auto kTable = tableOfBytes();

std::uint32_t masked(std::uint32_t crc) { return ((crc >> 15U) | (crc << 17U)) + kMaskDelta; }

// Fields of the protocol buffers Event, Summary and Summary.Value: number and wire type in one byte.
constexpr char kWallTime = 0x09, kStep = 0x10, kFileVersion = 0x1A, kSummary = 0x2A;
constexpr char kValue = 0x0A, kTag = 0x0A, kSimpleValue = 0x15;

void appendVarint(std::string& text, std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U)
        text += static_cast<char>(static_cast<std::uint8_t>((value & 0x7FU) | 0x80U));
    text += static_cast<char>(static_cast<std::uint8_t>(value));
}

void appendBytes(std::string& text, char field, std::string_view bytes) {
    text += field;
    appendVarint(text, bytes.size());
    text += bytes;
}

std::string eventAt(double wallTime) {
    std::string event(1, kWallTime);
    appendLittleEndian(event, wallTime);
    return event;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char byte : bytes) crc = (crc >> 8U) ^ kTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xFFU];
    return crc ^ 0xFFFFFFFFU;
}

EventFileWriter::EventFileWriter(double wallTime) {
    std::string event = eventAt(wallTime);
    appendBytes(event, kFileVersion, "brain.Event:2");
    record(event);
}

void EventFileWriter::scalar(std::int64_t step, double wallTime, std::string_view tag, float value) {
    std::string entry;
    appendBytes(entry, kTag, tag);
    entry += kSimpleValue;
    appendLittleEndian(entry, value);
    std::string summary;
    appendBytes(summary, kValue, entry);
    std::string event = eventAt(wallTime);
    event += kStep;
    appendVarint(event, static_cast<std::uint64_t>(step));
    appendBytes(event, kSummary, summary);
    record(event);
}

void EventFileWriter::record(std::string_view event) {
    std::string length;
    appendLittleEndian(length, std::uint64_t{event.size()});
    m_file += length;
    appendLittleEndian(m_file, masked(crc32c(length)));
    m_file += event;
    appendLittleEndian(m_file, masked(crc32c(event)));
}

}  // namespace plumb
