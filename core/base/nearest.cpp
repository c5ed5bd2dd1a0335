// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace plumb {

namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

}  // namespace

std::string nearestWord(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    // More than a third of the letters wrong is another word, not a slip.
    std::size_t bestDistance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& known, std::string otherwise) {
    const std::string nearest = nearestWord(word, known);
    return nearest.empty() ? std::move(otherwise) : fmt::format("did you mean {:s}?", nearest);
}

}  // namespace plumb
