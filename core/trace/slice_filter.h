// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/trace/trace_links.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::trace {

/// What is looked for among slices: all of it must be true of one.
struct SliceFilter {
    std::vector<std::string> words;          ///< in the name, in lower case
    std::vector<Category> categories;        ///< any of these ...
    std::vector<KernelCategory> kernels;     ///< ... or of these; both empty: any
    std::optional<Nanoseconds> longerThan;   ///< durations above it
    std::optional<Nanoseconds> shorterThan;  ///< durations below it

    [[nodiscard]] bool isEmpty() const {
        return words.empty() && categories.empty() && kernels.empty() && !longerThan && !shorterThan;
    }
};

/// Reads words between blanks: `>1ms` and `<50us` limit the duration (ns, us, ms, s; us without a unit),
/// `cat:kernel` and `cat:gemm` choose a category by its name or the beginning of it (`cat:norm`), anything
/// else is a part of the name, in any case. Text in double quotes is one word. Errors: BadInput for a time
/// that is none and for an unknown category, with those that there are.
[[nodiscard]] Result<SliceFilter> parseSliceFilter(std::string_view text);

/// The slices that the filter lets through, in the order of Trace: lane by lane, in the order of time.
/// `categories` are the kernel categories of slices as kernelCategories() gives them. Those found so far when
/// it is stopped.
[[nodiscard]] std::vector<std::uint32_t> slicesOf(const Trace& trace,
                                                  const std::vector<std::uint8_t>& categories,
                                                  const SliceFilter& filter,
                                                  const std::stop_token& stop = {});

/// Of each slice one more than its kernel category; 0 for what is no GPU work.
[[nodiscard]] std::vector<std::uint8_t> kernelCategories(const Trace& trace, const TraceLinks& links);

}  // namespace plumb::trace
