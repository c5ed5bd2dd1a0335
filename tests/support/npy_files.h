// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace plumb::test {

/// A path in the test's own folder; the process's number keeps parallel test programs apart.
inline std::string temporaryPath(const std::string& name) {
    return ::testing::TempDir() + "/" + std::to_string(::getpid()) + name;
}

/// The header of a version 1.0 fp32 .npy; the format's own rules, independent of the reader.
inline std::string npyHeader(std::int64_t rows, std::int64_t columns, bool fortranOrder = false) {
    std::string header = std::string("{'descr': '<f4', 'fortran_order': ") +
                         (fortranOrder ? "True" : "False") + ", 'shape': (" + std::to_string(rows) + ", " +
                         std::to_string(columns) + "), }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    const std::string length{static_cast<char>(header.size() & 0xffU),
                             static_cast<char>(header.size() >> 8U)};
    return "\x93NUMPY" + std::string("\x01\x00", 2) + length + header;
}

inline std::string writeNpy(const std::string& name, std::int64_t rows, std::int64_t columns,
                            const std::vector<float>& data) {
    std::string path = temporaryPath(name);
    std::ofstream out(path, std::ios::binary);
    out << npyHeader(rows, columns);
    out.write(reinterpret_cast<const char*>(data.data()),
              static_cast<std::streamsize>(data.size() * sizeof(float)));
    return path;
}

/// `Id` is std::uint16_t or std::int32_t.
template <class Id>
std::string writeTokens(const std::string& name, const std::vector<Id>& ids) {
    std::string path = temporaryPath(name);
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(ids.data()),
              static_cast<std::streamsize>(ids.size() * sizeof(Id)));
    return path;
}

}  // namespace plumb::test
