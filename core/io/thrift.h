// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// Writes structures in Thrift's compact protocol, as far as the footer of a Parquet file needs it. Fields of
/// a structure come by rising number.
class ThriftWriter {
public:
    void i32(std::int16_t field, std::int32_t value);
    void i64(std::int16_t field, std::int64_t value);
    void text(std::int16_t field, std::string_view value);
    /// Begins a structure that is a field; end() closes it.
    void structure(std::int16_t field);
    /// Begins a list of structures; each of them is begun with element() and closed with end().
    void structures(std::int16_t field, std::size_t count);
    void element() { m_last.push_back(0); }
    void i32s(std::int16_t field, const std::vector<std::int32_t>& values);
    void texts(std::int16_t field, const std::vector<std::string_view>& values);
    void end();
    /// Closes the outermost structure and hands over its bytes.
    [[nodiscard]] std::string take();

private:
    /// Types of the compact protocol.
    enum Type : std::uint8_t { I32 = 5, I64 = 6, Binary = 8, List = 9, Struct = 12 };

    void header(std::int16_t field, Type type);
    void list(std::int16_t field, Type type, std::size_t count);
    void bytes(std::string_view value);
    void varint(std::uint64_t value);
    void zigzag(std::int64_t value);

    std::string m_text;
    std::vector<std::int16_t> m_last{0};  ///< number of the last field of each open structure
};

}  // namespace plumb
