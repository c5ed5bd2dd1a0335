// SPDX-License-Identifier: Apache-2.0
#include "core/data/check_data.h"

#include "core/base/entry_at.h"
#include "core/base/philox.h"
#include "core/io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <system_error>

namespace plumb {

namespace {

constexpr std::int64_t kMostValues = std::int64_t{4} << 20;

/// An .npy of version 1.0 in fp32 with numbers from -0.5 to 0.5.
std::string npyOf(std::int64_t rows, std::int64_t columns, RandomStream stream) {
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string text = "\x93NUMPY";
    text += '\x01';
    text += '\0';
    text += static_cast<char>(header.size() & 0xffU);
    text += static_cast<char>(header.size() >> 8U);
    text += header;
    for (std::int64_t i = 0; i < rows * columns; i += 4) {
        const PhiloxBlock block = philoxAt(0, stream, 0, static_cast<std::uint64_t>(i));
        for (std::int64_t j = i; j < std::min(i + 4, rows * columns); ++j) {
            const float value = static_cast<float>(entryAt(block.word, j - i)) * 0x1p-32F - 0.5F;
            text.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
    }
    return text;
}

}  // namespace

CheckData::~CheckData() {
    std::error_code ignored;
    if (!m_folder.empty()) std::filesystem::remove_all(m_folder, ignored);
}

Result<void> CheckData::write(RunConfig& config) {
    if (m_folder.empty()) {
        std::error_code problem;
        std::string pattern =
            (std::filesystem::temp_directory_path(problem) / "plumbline-check-XXXXXX").string();
        if (problem || ::mkdtemp(pattern.data()) == nullptr)
            return Error{ErrorCode::Io, "no temporary folder can be made for data files (" + pattern + ")",
                         "set TMPDIR to a folder that can be written to"};
        m_folder = pattern;
    }
    const auto least =
        static_cast<std::int64_t>(std::ceil(static_cast<double>(config.batch) / (1 - config.holdOut))) + 1;
    const std::int64_t rows = std::max(least, kMostValues / (config.dim + config.outputs));
    config.data = (m_folder / "features.npy").string();
    config.targets = (m_folder / "targets.npy").string();
    PLUMB_CHECK(writeFileAtomically(config.data, npyOf(rows, config.dim, RandomStream::Features)));
    return writeFileAtomically(config.targets, npyOf(rows, config.outputs, RandomStream::Noise));
}

}  // namespace plumb
