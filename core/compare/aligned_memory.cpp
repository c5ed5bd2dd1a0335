// SPDX-License-Identifier: Apache-2.0
#include "core/compare/aligned_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace plumb {
namespace {

/// A run of ops that go the same way.
struct Stretch {
    std::string_view name;
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] std::size_t length() const { return end - begin; }
};

std::string_view wayOf(Phase phase) {
    switch (phase) {
    case Phase::Data:
    case Phase::Forward:
    case Phase::Loss:
        return "forward";
    case Phase::Recompute:
    case Phase::Backward:
        return "backward";
    case Phase::Optimizer:
        return "optimizer";
    }
    return {};
}

std::vector<Stretch> stretchesOf(const Step& step) {
    std::vector<Stretch> stretches;
    for (std::int64_t index = 0; index < step.opCount(); ++index) {
        const std::string_view way = wayOf(step.op(index).phase);
        const auto place = static_cast<std::size_t>(index);
        if (stretches.empty() || stretches.back().name != way) stretches.push_back({way, place, place});
        stretches.back().end = place + 1;
    }
    return stretches;
}

/// Appends both curves over one stretch: an edge wherever one of them has one.
void join(AlignedMemory& aligned, double from, double width, const Stretch& a, const Stretch& b,
          const std::vector<CategoryBytes>& curveA, const std::vector<CategoryBytes>& curveB) {
    const std::uint64_t lengthA = a.length(), lengthB = b.length();
    std::size_t atA = 0, atB = 0;
    while (atA < lengthA && atB < lengthB) {
        aligned.bytes[0].push_back(static_cast<double>(total(curveA[a.begin + atA])));
        aligned.bytes[1].push_back(static_cast<double>(total(curveB[b.begin + atB])));
        // Ends of the two intervals, as shares of the stretch, compared without dividing.
        const std::uint64_t endA = (atA + 1) * lengthB, endB = (atB + 1) * lengthA;
        const double share = static_cast<double>(std::min(endA, endB)) /
                             (static_cast<double>(lengthA) * static_cast<double>(lengthB));
        aligned.edges.push_back(from + share * width);
        if (endA <= endB) ++atA;
        if (endB <= endA) ++atB;
    }
}

}  // namespace

std::vector<CategoryBytes> curveOf(const ComparedStep& step) {
    const auto ops = static_cast<std::size_t>(step.step->opCount());
    if (step.reading->memory && step.reading->memory->curve.size() == ops) return step.reading->memory->curve;
    return memoryCurve(*step.step);
}

AlignedMemory alignMemory(const ComparedStep& baseline, const ComparedStep& other) {
    AlignedMemory aligned;
    if (baseline.step->opCount() == 0 || other.step->opCount() == 0) return aligned;
    std::vector<Stretch> a = stretchesOf(*baseline.step), b = stretchesOf(*other.step);
    if (!std::ranges::equal(a, b, {}, &Stretch::name, &Stretch::name)) {
        a = {{"step", 0, static_cast<std::size_t>(baseline.step->opCount())}};
        b = {{"step", 0, static_cast<std::size_t>(other.step->opCount())}};
    }
    const std::vector<CategoryBytes> curveA = curveOf(baseline), curveB = curveOf(other);
    aligned.isByOp = baseline.step->hasSameOps(*other.step);
    aligned.edges.push_back(0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double from = aligned.edges.back();
        const auto width = static_cast<double>(std::max(a[i].length(), b[i].length()));
        join(aligned, from, width, a[i], b[i], curveA, curveB);
        aligned.edges.back() = from + width;
        aligned.parts.push_back({from, from + width, a[i].name});
    }
    return aligned;
}

}  // namespace plumb
