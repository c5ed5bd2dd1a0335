// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"

#include <string>
#include <string_view>

namespace plumb {

/// Where data lie: a file, and what of it where it holds several things. "digits.npz:images" is a member of
/// an archive, "houses.csv:price" a column of a table, "houses.csv:rooms,area" two.
struct DataPath {
    std::string file;
    std::string part;  ///< empty: not said
};

/// A colon counts only behind ".npz" or ".csv", so that any other name may hold one.
[[nodiscard]] DataPath parseDataPath(std::string_view text);

/// What the extension of a file says, that of a DataPath without its part: ".npy" is Npy. Auto for any other.
[[nodiscard]] DataFormat formatOfName(std::string_view path);

/// A columnar file that this program does not read.
[[nodiscard]] bool looksLikeParquet(std::string_view path);

}  // namespace plumb
