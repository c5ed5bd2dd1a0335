// SPDX-License-Identifier: Apache-2.0
#include "core/trace/slice_filter.h"

#include "core/base/ascii.h"
#include "core/trace/trace_time.h"

#include <algorithm>
#include <array>

namespace plumb::trace {

namespace {

constexpr std::uint32_t kSlicesBetweenStops = 65'536;

/// The next word between blanks, or between quotes, which it is taken out of.
std::string_view takeWord(std::string_view& text) {
    text = trimmed(text);
    if (!text.empty() && text.front() == '"') {
        text.remove_prefix(1);
        const std::size_t end = std::min(text.find('"'), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return word;
    }
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

Error unknownCategory(std::string_view word) {
    std::string known;
    const auto add = [&](const auto& names) {
        for (const auto& [value, name] : names) known.append(known.empty() ? "" : ", ").append(name);
    };
    add(kCategoryNames);
    add(kKernelCategoryNames);
    return badInput("no category begins with \"" + std::string(word) + "\"",
                    "write cat: and one of " + known);
}

bool addCategory(SliceFilter& filter, const std::string& start) {
    if (start.empty()) return false;
    bool any = false;
    const auto add = [&](const auto& names, auto& chosen) {
        for (const auto& [value, name] : names) {
            if (!lowerCase(name).starts_with(start)) continue;
            chosen.push_back(value);
            any = true;
        }
    };
    add(kCategoryNames, filter.categories);
    add(kKernelCategoryNames, filter.kernels);
    return any;
}

}  // namespace

Result<SliceFilter> parseSliceFilter(std::string_view text) {
    SliceFilter filter;
    constexpr std::string_view kCategory = "cat:";
    while (!(text = trimmed(text)).empty()) {
        const bool isQuoted = text.front() == '"';
        std::string_view word = takeWord(text);
        if (word.empty()) continue;
        if (!isQuoted && (word.front() == '>' || word.front() == '<')) {
            const char side = word.front();
            word.remove_prefix(1);
            if (word.empty()) word = takeWord(text);  // "> 1ms"
            const auto time = typedTime(word);
            if (!time)
                return badInput("\"" + std::string(word) + "\" is no time",
                                "write >1ms or <50us (ns, us, ms, s)");
            (side == '>' ? filter.longerThan : filter.shorterThan) = *time;
        } else if (!isQuoted && sameLetters(word.substr(0, kCategory.size()), kCategory)) {
            word.remove_prefix(kCategory.size());
            if (word.empty()) word = takeWord(text);
            if (!addCategory(filter, lowerCase(word))) return unknownCategory(word);
        } else {
            filter.words.push_back(lowerCase(word));
        }
    }
    return filter;
}

std::vector<std::uint32_t> slicesOf(const Trace& trace, const std::vector<std::uint8_t>& categories,
                                    const SliceFilter& filter, const std::stop_token& stop) {
    std::vector<bool> named(trace.names.size());
    for (std::size_t id = 0; id < named.size(); ++id) {
        const std::string name =
            filter.words.empty() ? std::string() : lowerCase(trace.names.at(static_cast<NameId>(id)));
        named[id] = std::ranges::all_of(
            filter.words, [&](const std::string& word) { return name.find(word) != std::string::npos; });
    }
    std::array<bool, kCategories> wanted{};
    std::array<bool, kKernelCategories + 1> wantedWork{};
    for (const Category category : filter.categories) wanted[static_cast<std::size_t>(category)] = true;
    for (const KernelCategory kernel : filter.kernels)
        wantedWork[static_cast<std::size_t>(kernel) + 1] = true;
    const bool anyCategory = filter.categories.empty() && filter.kernels.empty();
    const Nanoseconds least = filter.longerThan.value_or(-1);
    const Nanoseconds most = filter.shorterThan.value_or(INT64_MAX);
    std::vector<std::uint32_t> found;
    const Slices& slices = trace.slices;
    for (std::uint32_t i = 0; i < slices.size(); ++i) {
        if (i % kSlicesBetweenStops == 0 && stop.stop_requested()) return found;
        if (slices.duration[i] <= least || slices.duration[i] >= most || !named[slices.name[i]]) continue;
        if (anyCategory || wanted[static_cast<std::size_t>(slices.category[i])] || wantedWork[categories[i]])
            found.push_back(i);
    }
    return found;
}

std::vector<std::uint8_t> kernelCategories(const Trace& trace, const TraceLinks& links) {
    std::vector<std::uint8_t> categories(trace.slices.size(), 0);
    for (const GpuWork& work : links.work)
        categories[work.slice] = static_cast<std::uint8_t>(static_cast<int>(work.category) + 1);
    return categories;
}

}  // namespace plumb::trace
