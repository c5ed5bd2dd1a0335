// SPDX-License-Identifier: Apache-2.0
#include "core/comm/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace plumb {
namespace {

/// From the worst kind of failure to the least: what explains most comes first.
constexpr std::array kWorstFirst{ErrorCode::DeviceLost, ErrorCode::OutOfMemory, ErrorCode::Unavailable,
                                 ErrorCode::Io,         ErrorCode::BadInput,    ErrorCode::RunFailed,
                                 ErrorCode::Internal};

// A vote is "" or the place in kWorstFirst, the length of the message, the message and the hint.
std::string voteText(const Result<void>& mine) {
    if (mine.has_value()) return {};
    const Error& error = mine.error();
    const auto* const place = std::find(kWorstFirst.begin(), kWorstFirst.end(), error.code);
    return fmt::format("{} {} {}{}", place - kWorstFirst.begin(), error.message.size(), error.message,
                       error.hint);
}

struct Vote {
    std::size_t place = 0;
    std::string message, hint;
};

std::optional<Vote> voteOf(std::string_view text) {
    if (text.empty()) return std::nullopt;
    const auto number = [&] {
        std::size_t value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()) + 1);
        return value;
    };
    const std::size_t place = number(), length = number();
    return Vote{place, std::string(text.substr(0, length)), std::string(text.substr(length))};
}

}  // namespace

Result<std::string> World::broadcast(std::string mine, int root) {
    PLUMB_TRY(std::vector<std::string> all, gather(rank() == root ? std::move(mine) : std::string()));
    return std::move(all[static_cast<std::size_t>(root)]);
}

Result<void> World::vote(const Result<void>& mine) {
    PLUMB_TRY(const std::vector<std::string> all, gather(voteText(mine)));
    std::optional<Vote> worst;
    std::size_t by = 0;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const std::optional<Vote> vote = voteOf(all[rank]);
        if (!vote || (worst && worst->place <= vote->place)) continue;
        worst = vote;
        by = rank;
    }
    if (!worst) return {};
    return Error{kWorstFirst.at(worst->place), fmt::format("rank {}: {}", by, worst->message), worst->hint};
}

void World::giveUp(const Error& why) {
    abort({why.code, fmt::format("rank {}: {}", rank(), why.message), why.hint});
}

}  // namespace plumb
