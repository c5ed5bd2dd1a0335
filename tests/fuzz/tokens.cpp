// SPDX-License-Identifier: Apache-2.0
#include "core/data/token_file.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <cstring>

namespace plumb::fuzz {

void tokens(std::string_view input) {
    std::uint32_t number = 0;
    constexpr std::size_t kChoices = 1 + sizeof number;
    if (input.size() < kChoices) return;
    std::memcpy(&number, input.data() + 1, sizeof number);
    const std::int64_t vocabulary = std::max<std::int64_t>(1, number % (std::int64_t{1} << 31));
    const MemoryFile file(input.substr(kChoices));
    const auto read =
        TokenFile::open(file.path(), input.front() % 2 != 0 ? TokenType::U16 : TokenType::I32, vocabulary);
    if (!isTaken(read)) return;
    const std::int64_t count = std::min<std::int64_t>(read->tokens(), 64);
    std::vector<float> target(static_cast<std::size_t>(count));
    read->willRead(0, count);
    (void)read->copyScaled(0, target);
    (void)read->copyScaled(read->tokens() - count, target);
}

}  // namespace plumb::fuzz
