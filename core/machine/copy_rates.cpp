// SPDX-License-Identifier: Apache-2.0
#include "core/machine/copy_rates.h"

#include "core/base/plain_text.h"
#include "core/machine/machine.h"
#include "core/machine/machine_json.h"

#include <fmt/format.h>

namespace plumb {

using enum Presence;

namespace {

/// Cards of a node, squared, with room to spare.
constexpr std::size_t kMostRates = 4096;

std::string labelOf(const CopyRate& rate) {
    switch (rate.path) {
    case CopyPath::HostToDevice:
        return "host to device, pinned memory";
    case CopyPath::DeviceToHost:
        return "device to host, pinned memory";
    case CopyPath::PageableToDevice:
        return "host to device, pageable memory";
    case CopyPath::DeviceToPageable:
        return "device to host, pageable memory";
    case CopyPath::CardToCard:
        return fmt::format("card {} to card {}", rate.from.value_or(0), rate.to.value_or(0));
    }
    return {};
}

// Reasons come from files too.
std::string notMeasured(const std::string& why) {
    return "not measured: " + (why.empty() ? "the reason was not kept" : plainLine(why));
}

std::string valueOf(const CopyRate& rate) {
    if (!rate.bytesPerSecond) return notMeasured(rate.absent);
    std::string text = formatQuantity(*rate.bytesPerSecond, "B/s");
    if (rate.link) text += fmt::format(" over {}", kCardLinkNames.name(*rate.link));
    if (rate.path == CopyPath::CardToCard)
        text +=
            rate.detour.empty() ? ", with peer access" : ", without peer access: " + plainLine(rate.detour);
    return text;
}

}  // namespace

std::vector<CopyLine> copyLines(const Machine& machine) {
    std::vector<CopyLine> lines;
    if (machine.copies) {
        for (const CopyRate& rate : machine.copies->rates) lines.push_back({labelOf(rate), valueOf(rate)});
        if (!machine.copies->cardsAbsent.empty())
            lines.push_back({"card to card", notMeasured(machine.copies->cardsAbsent)});
    } else if (machine.index) {  // a GPU of this computer, and no data sheet
        const std::string command = calibrateCommand(machine.backend);
        lines.push_back(
            {"copies to and from the host",
             notMeasured(machine.costs ? "the calibration is older than that; run " + command + " --replace"
                                       : "run " + command)});
    }
    return lines;
}

std::string copySource(const CopyRates& rates) {
    return fmt::format("median of {} copies of {} each, timed by device events", rates.copies,
                       bytesText(rates.bytes));
}

JsonType<CopyRate> jsonType(Of<CopyRate> /*type*/) {
    static constexpr JsonMember<CopyRate> kMembers[]{
        member<&CopyRate::path, Named<kCopyPathNames>>(
            "path", Required, "Memory of the host is pinned where it is not called pageable"),
        member<&CopyRate::from>("from_card", IfSet, "In the order of the CUDA runtime"),
        member<&CopyRate::to>("to_card", IfSet),
        member<&CopyRate::bytesPerSecond, Maybe<Positive>>("bytes_per_s", Always,
                                                           "The middle one of several copies"),
        member<&CopyRate::absent>("absent", IfSet, "Why there is no rate"),
        member<&CopyRate::detour>("no_peer_access", IfSet,
                                  "Why two cards had no peer access; missing: they had it"),
        member<&CopyRate::link, Maybe<Named<kCardLinkNames>>>("link", IfSet,
                                                              "What joins two cards; missing: not known")};
    return {{}, {}, kMembers};
}

JsonType<CopyRates> jsonType(Of<CopyRates> /*type*/) {
    static constexpr JsonMember<CopyRates> kMembers[]{
        member<&CopyRates::bytes, Whole<1>>("bytes", Required, "Of each copy"),
        member<&CopyRates::copies, Whole<1>>("copies", Required, "Of each rate, timed by device events"),
        member<&CopyRates::rates, ListOf<Json<CopyRate>, kMostRates>>("rates", Required),
        member<&CopyRates::cardsAbsent>("cards_absent", IfSet, "Why no two cards were measured")};
    return {
        {}, "How fast a GPU exchanges data with the host and with other cards, from calibration", kMembers};
}

}  // namespace plumb
