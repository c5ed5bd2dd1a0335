// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void command(std::string_view input) {
    constexpr std::size_t kShortLine = 4096;
    protocol::LineBuffer lines(kShortLine);
    const std::size_t piece = input.empty() ? 1 : 1 + static_cast<unsigned char>(input.front());
    for (std::size_t at = 0; at < input.size(); at += piece)
        for (const auto& line : lines.add(input.substr(at, piece))) {
            if (!isTaken(line)) continue;
            const protocol::Heading heading = protocol::headingOf(*line);
            const auto read = protocol::parseCommand(*line);
            if (!isTaken(read)) continue;
            require(heading.id == read->id, "a heading has the id of its command");
            const std::string written = protocol::encode(*read);
            const auto again = protocol::parseCommand(written);
            require(again.has_value(), "a command that was written is read", written);
            require(protocol::encode(*again) == written, "a command is written as it was read", written);
        }
    (void)lines.finish();
}

}  // namespace plumb::fuzz
