// SPDX-License-Identifier: Apache-2.0
#include "core/planner/inputs.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace plumb::planner {

namespace {

struct Suffix {
    std::string_view text;
    double factor;
};
/// What may follow a number. "B" and "T" alone are billions and trillions, as people write of parameters and
/// tokens; bytes are "GB", "GiB", ...
constexpr std::array kSuffixes{
    Suffix{"", 1},        Suffix{"%", 0.01},     Suffix{"k", 1e3},     Suffix{"K", 1e3},
    Suffix{"M", 1e6},     Suffix{"G", 1e9},      Suffix{"B", 1e9},     Suffix{"T", 1e12},
    Suffix{"P", 1e15},    Suffix{"E", 1e18},     Suffix{"kB", 1e3},    Suffix{"KB", 1e3},
    Suffix{"MB", 1e6},    Suffix{"GB", 1e9},     Suffix{"TB", 1e12},   Suffix{"PB", 1e15},
    Suffix{"Ki", 1024.0}, Suffix{"KiB", 1024.0}, Suffix{"Mi", 0x1p20}, Suffix{"MiB", 0x1p20},
    Suffix{"Gi", 0x1p30}, Suffix{"GiB", 0x1p30}, Suffix{"Ti", 0x1p40}, Suffix{"TiB", 0x1p40},
    Suffix{"m", 1e-3},    Suffix{"u", 1e-6},     Suffix{"µ", 1e-6},    Suffix{"n", 1e-9},
};

}  // namespace

Result<double> parseAmount(std::string_view text) {
    const auto refuse = [&] {
        return Error{ErrorCode::BadInput, fmt::format("not a number ({})", text),
                     "write it like 70e9, 70B, 15T, 80GB, 80GiB or 0.5"};
    };
    std::string_view rest = text;
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
    if (rest.empty() || (rest.front() != '.' && (rest.front() < '0' || rest.front() > '9'))) return refuse();
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error == std::errc::result_out_of_range)
        return Error{ErrorCode::BadInput, fmt::format("a number beyond all measure ({})", text),
                     "give one between 1e-300 and 1e300"};
    if (error != std::errc()) return refuse();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    for (const Suffix& suffix : kSuffixes) {
        if (rest != suffix.text) continue;
        // 80 and 0.07 are typed in decimals: a whole number times a power of ten stays whole.
        const double result =
            suffix.factor < 1 ? value / std::round(1 / suffix.factor) : value * suffix.factor;
        if (!std::isfinite(result)) break;
        return result;
    }
    return refuse();
}

}  // namespace plumb::planner
