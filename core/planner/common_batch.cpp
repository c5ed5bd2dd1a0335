// SPDX-License-Identifier: Apache-2.0
#include "core/planner/common_batch.h"

#include "core/base/quantity.h"
#include "core/planner/inputs.h"

#include <fmt/format.h>

#include <numeric>

namespace plumb::planner {

Result<std::int64_t> commonBatch(std::span<const std::int64_t> devices) {
    const auto most = static_cast<std::int64_t>(info(Input::Batch).most);
    std::int64_t least = 1;
    for (const std::int64_t count : devices) {
        least = mulOrOverflow(least / std::gcd(least, count), count);
        if (least < 0 || least > most)
            return Error{ErrorCode::BadInput,
                         fmt::format("the least batch that {} divide has more than {:g} sequences",
                                     fmt::join(devices, ", "), info(Input::Batch).most),
                         "give --batch, or numbers of devices with common divisors"};
    }
    return least;
}

}  // namespace plumb::planner
