// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace plumb {

/// CRC-32C (Castagnoli), which zlib does not have.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

/// Writes a TensorBoard event file of scalars: records of a protocol buffer with their lengths and masked
/// checksums. TensorBoard finds it by "tfevents" in its name.
class EventFileWriter {
public:
    /// `wallTime`: seconds since 1970, of the first record, which says what the file is.
    explicit EventFileWriter(double wallTime);
    /// One value of a step. Tags with a slash are grouped by what stands before it.
    void scalar(std::int64_t step, double wallTime, std::string_view tag, float value);
    [[nodiscard]] std::string take() { return std::move(m_file); }

private:
    void record(std::string_view event);

    std::string m_file;
};

}  // namespace plumb
