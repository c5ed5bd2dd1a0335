// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::trace {

std::int64_t Trace::bytesOf(std::size_t slice) const {
    const Category category = slices.category[slice];
    if (category != Category::Copy && category != Category::Memset) return -1;
    return amounts[slices.detail[slice]];
}

std::size_t Trace::memoryBytes() const {
    const auto bytes = [](const auto& column) { return column.capacity() * sizeof column[0]; };
    return bytes(slices.begin) + bytes(slices.duration) + bytes(slices.name) + bytes(slices.track) +
           bytes(slices.category) + bytes(slices.row) + bytes(slices.link) + bytes(slices.external) +
           bytes(slices.detail) + bytes(slices.types) + bytes(slices.forward) + bytes(amounts) +
           bytes(collectives.name) + bytes(collectives.elementType) + bytes(collectives.group) +
           bytes(collectives.sequence) + bytes(collectives.elementsIn) + bytes(collectives.elementsOut) +
           bytes(collectives.peer) + bytes(groups) + bytes(tracks) + bytes(rows) + bytes(rowOrder) +
           bytes(memory) + bytes(counters) + bytes(categories) + names.bytes();
}

std::string_view Trace::writer() const {
    if (isOfNsys) return "Nsight Systems";
    const bool isKineto = std::ranges::any_of(categories, [&](const Tally& tally) {
        const std::string_view category = names.at(tally.name);
        return category == "cpu_op" || category == "Operator" || category == "kernel" ||
               category == "Kernel" || category == "python_function";
    });
    return isKineto ? "Kineto" : "Chrome";
}

const Device* Trace::deviceOf(const Track& track) const {
    const auto found = std::ranges::find_if(devices, [&](const Device& device) {
        return device.id == track.device && device.rank == track.rank;
    });
    return found == devices.end() ? nullptr : &*found;
}

void Losses::add(const Losses& other) {
    broken += other.broken;
    withoutTime += other.withoutTime;
    brokenFields += other.brokenFields;
    negativeDurations += other.negativeDurations;
    unendedSlices += other.unendedSlices;
    unbegunEnds += other.unbegunEnds;
    refusedNames += other.refusedNames;
    stackedSlices += other.stackedSlices;
    grownBytes += other.grownBytes;
    cut = cut || other.cut;
}

std::vector<std::string> Losses::sentences() const {
    std::vector<std::string> said;
    const auto say = [&](std::int64_t count, std::string_view one, std::string_view many) {
        if (count > 0) said.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
    };
    if (cut) said.emplace_back("the file ends before its JSON does: it was cut, or is still being written");
    say(grownBytes, "byte was added to the file while it was read, and is not in it",
        "bytes were added to the file while it was read, and are not in it");
    say(broken, "event was lost to broken JSON", "events were lost to broken JSON");
    say(withoutTime, "slice has no usable time and was left out",
        "slices have no usable time and were left out");
    say(unbegunEnds, "end without a beginning was left out", "ends without a beginning were left out");
    say(brokenFields, "field around the events was lost to broken JSON",
        "fields around the events were lost to broken JSON");
    say(negativeDurations, "slice ended before it began; its duration is shown as 0",
        "slices ended before they began; their durations are shown as 0");
    say(unendedSlices, "slice never ended; it is shown up to the end of the trace",
        "slices never ended; they are shown up to the end of the trace");
    say(refusedNames, "slice has a name too many; it is called (other names)",
        "slices have names too many; they are called (other names)");
    say(stackedSlices, "slice overlaps others in the last row of its track",
        "slices overlap others in the last row of their tracks");
    return said;
}

}  // namespace plumb::trace
