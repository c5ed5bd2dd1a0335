// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/base/quantity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

struct Machine;

/// Between which memories a copy goes.
enum class CopyPath : std::uint8_t {
    HostToDevice,      ///< from pinned memory of the host, as are those that do not say otherwise
    DeviceToHost,      ///< to it
    PageableToDevice,  ///< from memory that the system may move, which the driver copies aside first
    DeviceToPageable,  ///< to such memory
    CardToCard,
};
inline constexpr auto kCopyPathNames =
    enumNames<CopyPath>({{CopyPath::HostToDevice, "host_to_device"},
                         {CopyPath::DeviceToHost, "device_to_host"},
                         {CopyPath::PageableToDevice, "pageable_to_device"},
                         {CopyPath::DeviceToPageable, "device_to_pageable"},
                         {CopyPath::CardToCard, "card_to_card"}});

/// What joins two cards.
enum class CardLink : std::uint8_t { NvLink, Pcie };
inline constexpr auto kCardLinkNames =
    enumNames<CardLink>({{CardLink::NvLink, "NVLink"}, {CardLink::Pcie, "PCIe"}});

/// What calibration found of one way to copy.
struct CopyRate {
    CopyPath path{};
    std::optional<int> from, to;           ///< CardToCard: which cards, in the order of the CUDA runtime
    std::optional<double> bytesPerSecond;  ///< the middle one of several copies
    std::string absent;                    ///< why there is none, in a sentence's words
    std::string detour;  ///< CardToCard: why peer access was refused, so that the host may have been on the
                         ///< way; empty: the cards had it
    std::optional<CardLink> link;  ///< CardToCard: absent where the driver does not tell it
    bool operator==(const CopyRate&) const = default;
};

/// How fast a GPU exchanges data with the host and with the other cards that were visible.
struct CopyRates {
    Bytes bytes = 0;          ///< of each copy
    std::int64_t copies = 0;  ///< of each rate
    std::vector<CopyRate> rates;
    std::string cardsAbsent;  ///< why no two cards were measured
    bool operator==(const CopyRates&) const = default;
};

/// A line for people: "host to device, pinned memory" and "55.3 GB/s", or "not measured: ..." with the
/// reason.
struct CopyLine {
    std::string label;
    std::string value;
};
/// What is known of a GPU's copies; none of a machine that copies nothing (a CPU, a data sheet).
[[nodiscard]] std::vector<CopyLine> copyLines(const Machine& machine);
/// "median of 7 copies of 268 MB each, timed by device events".
[[nodiscard]] std::string copySource(const CopyRates& rates);

}  // namespace plumb
