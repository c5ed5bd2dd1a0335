// SPDX-License-Identifier: Apache-2.0
// Prints a .safetensors file as JSON, for tests/data/safetensors/check_with_reference.py.
#include "core/io/json_fields.h"
#include "core/io/safetensors.h"

#include <cstdio>
#include <cstring>

namespace plumb {
namespace {

template <class Stored, class Convert>
nlohmann::json values(std::span<const std::byte> bytes, Convert&& convert) {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stored)) {
        Stored stored{};
        std::memcpy(&stored, bytes.data() + at, sizeof stored);
        list.push_back(static_cast<double>(convert(stored)));
    }
    return list;
}

nlohmann::json valuesOf(const std::string& dtype, std::span<const std::byte> bytes) {
    const auto same = [](auto value) { return value; };
    if (dtype == "F64") return values<double>(bytes, same);
    if (dtype == "F32") return values<float>(bytes, same);
    if (dtype == "F16") return values<std::uint16_t>(bytes, floatFromFp16);
    if (dtype == "BF16") return values<std::uint16_t>(bytes, floatFromBf16);
    if (dtype == "F8_E4M3") return values<std::uint8_t>(bytes, floatFromFp8E4M3);
    if (dtype == "F8_E5M2") return values<std::uint8_t>(bytes, floatFromFp8E5M2);
    return nullptr;
}

int dump(const std::string& path) {
    const auto file = SafetensorsFile::open(path);
    if (!file.has_value()) {
        std::fprintf(stderr, "%s\n", file.error().text().c_str());
        return 2;
    }
    nlohmann::json tensors = nlohmann::json::object();
    for (const SafetensorsEntry& entry : file->tensors())
        tensors[entry.name] = {{"dtype", entry.dtype},
                               {"shape", entry.shape},
                               {"values", valuesOf(entry.dtype, *file->bytes(entry))}};
    std::puts(dumpJson({{"metadata", file->metadata()}, {"tensors", tensors}}).c_str());
    return 0;
}

}  // namespace
}  // namespace plumb

int main(int argc, char** argv) { return argc == 2 ? plumb::dump(argv[1]) : 2; }
