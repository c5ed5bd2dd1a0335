// SPDX-License-Identifier: Apache-2.0
#include "core/base/ascii.h"
#include "core/trace/slice_filter.h"
#include "core/trace/trace_reader.h"
#include "core/trace/trace_time.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace plumb::fuzz {
namespace {

/// A trace of a few slices of every kind, and the kernel categories of them.
struct FilteredTrace {
    trace::Trace trace;
    std::vector<std::uint8_t> categories;

    FilteredTrace() {
        static constexpr std::array<std::array<std::string_view, 3>, 7> kSlices{
            {{"cpu_op", "aten::mm", "10"},
             {"cpu_op", "aten::\\u00c4 b", "0"},
             {"kernel", "ampere_sgemm_128", "7.5"},
             {"kernel", "ncclAllReduce", "1e6"},
             {"gpu_memcpy", "Memcpy HtoD", "0.001"},
             {"user_annotation", "ProfilerStep#1", "50"},
             {"python_function", "a.py(1): f", "3"}}};
        std::string text = "[";
        for (std::size_t i = 0; i < kSlices.size(); ++i)
            text += (i == 0 ? "" : ",\n") + std::string(R"({"ph":"X","pid":0,"tid":)") + std::to_string(i) +
                    R"(,"ts":)" + std::to_string(i) + R"(,"cat":")" + std::string(kSlices[i][0]) +
                    R"(","name":")" + std::string(kSlices[i][1]) + R"(","dur":)" +
                    std::string(kSlices[i][2]) + R"(,"args":{"stream":7,"device":0,"correlation":)" +
                    std::to_string(i) + "}}";
        const MemoryFile file(text + "]");
        auto read = trace::readTrace(file.path());
        require(read.has_value() && read->slices.size() == kSlices.size(), "the trace is read");
        trace = std::move(read).value();
        categories = trace::kernelCategories(trace, trace::linkTrace(trace));
    }
};

bool isLetThrough(const FilteredTrace& all, const trace::SliceFilter& filter, std::uint32_t slice) {
    const trace::Slices& slices = all.trace.slices;
    const std::string name = lowerCase(all.trace.names.at(slices.name[slice]));
    const bool isNamed = std::ranges::all_of(
        filter.words, [&](const std::string& word) { return name.find(word) != std::string::npos; });
    const bool isLong = !filter.longerThan || slices.duration[slice] > *filter.longerThan;
    const bool isShort = !filter.shorterThan || slices.duration[slice] < *filter.shorterThan;
    const bool isOfKind =
        (filter.categories.empty() && filter.kernels.empty()) ||
        std::ranges::count(filter.categories, slices.category[slice]) > 0 ||
        std::ranges::any_of(filter.kernels, [&](trace::KernelCategory kernel) {
            return all.categories[slice] == static_cast<std::uint8_t>(static_cast<int>(kernel) + 1);
        });
    return isNamed && isLong && isShort && isOfKind;
}

}  // namespace

void trace_filter(std::string_view input) {
    static const FilteredTrace all;
    const auto filter = trace::parseSliceFilter(input);
    if (!isTaken(filter)) {
        require(!filter.error().message.empty() && !filter.error().hint.empty(),
                "a refusal says what to write");
        return;
    }
    const std::vector<std::uint32_t> found = trace::slicesOf(all.trace, all.categories, *filter);
    require(std::ranges::is_sorted(found), "slices come in their order");
    for (std::uint32_t slice = 0; slice < all.trace.slices.size(); ++slice)
        require(std::ranges::binary_search(found, slice) == isLetThrough(all, *filter, slice),
                "exactly what the filter says is let through",
                all.trace.names.at(all.trace.slices.name[slice]));
    require(!filter->isEmpty() || found.size() == all.trace.slices.size(),
            "an empty filter lets all through");
    for (const auto& limit : {filter->longerThan, filter->shorterThan})
        require(!limit || (*limit >= -trace::kMostTime && *limit <= trace::kMostTime), "a limit is a time");
    std::string quoted;
    for (const std::string& word : filter->words) {
        require(!word.empty(), "a word has letters");
        if (word.find('"') != std::string::npos) return;
        quoted += '"' + word + "\" ";
    }
    const auto again = trace::parseSliceFilter(quoted);
    require(again.has_value() && again->words == filter->words, "words in quotes are those words", quoted);
}

}  // namespace plumb::fuzz
