// SPDX-License-Identifier: Apache-2.0
#include "core/model/data_path.h"

#include <array>
#include <utility>

namespace plumb {

DataPath parseDataPath(std::string_view text) {
    for (const std::string_view mark : {std::string_view(".npz:"), std::string_view(".csv:")}) {
        const std::size_t at = text.find(mark);
        if (at == std::string_view::npos) continue;
        const std::size_t colon = at + mark.size() - 1;
        return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
    }
    return {std::string(text), {}};
}

DataFormat formatOfName(std::string_view path) {
    constexpr std::array kExtensions{std::pair{std::string_view(".npy"), DataFormat::Npy},
                                     std::pair{std::string_view(".npz"), DataFormat::Npz},
                                     std::pair{std::string_view(".csv"), DataFormat::Csv},
                                     std::pair{std::string_view(".u16"), DataFormat::TokensU16},
                                     std::pair{std::string_view(".i32"), DataFormat::TokensI32}};
    const std::string file = parseDataPath(path).file;
    for (const auto& [extension, format] : kExtensions)
        if (file.ends_with(extension)) return format;
    return DataFormat::Auto;
}

bool looksLikeParquet(std::string_view path) { return path.ends_with(".parquet") || path.ends_with(".pq"); }

}  // namespace plumb
