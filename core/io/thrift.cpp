// SPDX-License-Identifier: Apache-2.0
#include "core/io/thrift.h"

#include <cassert>

namespace plumb {
namespace {

char byteOf(std::uint64_t value) { return static_cast<char>(static_cast<std::uint8_t>(value)); }

}  // namespace

void ThriftWriter::varint(std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) m_text += byteOf((value & 0x7FU) | 0x80U);
    m_text += byteOf(value);
}

void ThriftWriter::zigzag(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    varint((bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : std::uint64_t{0}));
}

void ThriftWriter::bytes(std::string_view value) {
    varint(value.size());
    m_text += value;
}

void ThriftWriter::header(std::int16_t field, Type type) {
    const int step = field - m_last.back();
    assert(step > 0 && step <= 15);
    m_text += byteOf((static_cast<std::uint64_t>(step) << 4U) | type);
    m_last.back() = field;
}

void ThriftWriter::list(std::int16_t field, Type type, std::size_t count) {
    header(field, List);
    m_text += byteOf((std::uint64_t{count < 15 ? count : 15} << 4U) | type);
    if (count >= 15) varint(count);
}

void ThriftWriter::i32(std::int16_t field, std::int32_t value) {
    header(field, I32);
    zigzag(value);
}

void ThriftWriter::i64(std::int16_t field, std::int64_t value) {
    header(field, I64);
    zigzag(value);
}

void ThriftWriter::text(std::int16_t field, std::string_view value) {
    header(field, Binary);
    bytes(value);
}

void ThriftWriter::structure(std::int16_t field) {
    header(field, Struct);
    m_last.push_back(0);
}

void ThriftWriter::structures(std::int16_t field, std::size_t count) { list(field, Struct, count); }

void ThriftWriter::i32s(std::int16_t field, const std::vector<std::int32_t>& values) {
    list(field, I32, values.size());
    for (const std::int32_t value : values) zigzag(value);
}

void ThriftWriter::texts(std::int16_t field, const std::vector<std::string_view>& values) {
    list(field, Binary, values.size());
    for (const std::string_view value : values) bytes(value);
}

void ThriftWriter::end() {
    m_text += '\0';
    m_last.pop_back();
}

std::string ThriftWriter::take() {
    assert(m_last.size() == 1);
    end();
    m_last = {0};
    return std::exchange(m_text, {});
}

}  // namespace plumb
