// SPDX-License-Identifier: Apache-2.0
#include "core/planner/published_mfu.h"

#include "core/base/quantile.h"
#include "core/planner/evidence.h"
#include "core/planner/inputs.h"
#include "core/planner/priors.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace plumb::planner {

namespace {

/// What utilisations are alike by.
struct Kind {
    Generation generation{};
    bool is8 = false;
    bool hasExperts = false;
    double parameters = 0;
};

Kind kindOf(const Scenario& s) {
    const Transformer* m = s.model.transformer();
    return {s.cluster.device ? generationOf(*s.cluster.device) : Generation::Other,
            dtypeBits(computeDtype(s)) <= 8, m != nullptr && m->experts.has_value(), s.model.parameters()};
}

struct Reached {
    const PublishedTraining* row;
    const EvidenceSource* source;
    Kind kind;
    double mfu;
};

std::vector<Reached> reachedOf(const Evidence& evidence) {
    std::vector<Reached> all;
    for (const PublishedTraining& row : evidence.rows) {
        const Scenario& s = row.scenario;
        if (!row.step || !s.cluster.device || s.model.transformer() == nullptr || s.workload.batch <= 0)
            continue;
        const auto work = workPerToken(s);
        const auto peak = numberOf(s, Input::Peak);
        if (!work.has_value() || !peak.has_value()) continue;
        const double tokens = static_cast<double>(s.workload.batch) * static_cast<double>(sequenceOf(s));
        const double mfu =
            work->model() * tokens / (static_cast<double>(s.cluster.devices) * *peak * row.step->seconds);
        all.push_back({&row, &evidence.sources[row.source], kindOf(s), mfu});
    }
    return all;
}

const std::vector<Reached>& published() {
    static const std::vector<Reached> all =
        Evidence::builtIn().has_value() ? reachedOf(*Evidence::builtIn()) : std::vector<Reached>();
    return all;
}

double apart(double a, double b) { return std::fabs(std::log(a / b)); }

/// Ways to be like a training, the closest first.
struct Likeness {
    bool inExperts;
    bool inGeneration;
};
constexpr std::array kLikenesses{Likeness{true, true}, Likeness{true, false}, Likeness{false, false}};

constexpr std::size_t kEnough = 5;
/// A training of e^this times the size weighs e^(-1/2) as much: four times the size.
constexpr double kSizeSpread = 1.386;

bool isLike(const Kind& own, const Kind& other, const Likeness& like) {
    return other.is8 == own.is8 && (!like.inExperts || other.hasExperts == own.hasExperts) &&
           (!like.inGeneration || other.generation == own.generation);
}

std::string wordsOf(const Kind& own, const Likeness& like) {
    std::string words = own.is8 ? "in fp8" : "in 16 bits or more";
    if (like.inExperts) words += own.hasExperts ? ", mixtures of experts" : ", dense";
    if (like.inGeneration) words += ", on devices of this generation";
    return words + "; those near in size weigh most";
}

}  // namespace

std::optional<TypicalMfu> typicalMfu(const Scenario& scenario) {
    const Kind own = kindOf(scenario);
    if (!scenario.cluster.device || !(own.parameters > 0) || scenario.model.linear() != nullptr)
        return std::nullopt;
    for (const Likeness& like : kLikenesses) {
        std::size_t count = 0;
        double weights = 0, sum = 0, squares = 0;
        for (const Reached& each : published()) {
            if (!each.source->fits || !isLike(own, each.kind, like)) continue;
            const double distance = apart(each.kind.parameters, own.parameters) / kSizeSpread;
            const double weight = std::exp(-distance * distance / 2) + 1e-9, value = std::log(each.mfu);
            ++count;
            weights += weight;
            sum += weight * value;
            squares += weight * value * value;
        }
        if (count < kEnough) continue;
        const double mean = sum / weights;
        const double reach = kNormalTenth * std::sqrt(std::max(0.0, squares / weights - mean * mean));
        return TypicalMfu{{std::exp(mean - reach), std::exp(mean), std::exp(mean + reach)},
                          fmt::format("the mean of {} published trainings ({})", count, wordsOf(own, like))};
    }
    return std::nullopt;
}

std::string publishedMfuText(const Scenario& scenario) {
    if (scenario.model.transformer() == nullptr || published().empty()) return {};
    const Kind own = kindOf(scenario);
    const auto isOnLike = [&](const Reached& each) { return each.kind.generation == own.generation; };
    const bool hasLike = scenario.cluster.device && std::ranges::any_of(published(), isOnLike);
    const auto devices = static_cast<double>(scenario.cluster.devices);
    const auto isNearer = [&](const Reached& a, const Reached& b) {
        if (hasLike && isOnLike(a) != isOnLike(b)) return isOnLike(a);
        const double one = apart(a.kind.parameters, own.parameters),
                     other = apart(b.kind.parameters, own.parameters);
        if (one != other) return one < other;
        return apart(static_cast<double>(a.row->scenario.cluster.devices), devices) <
               apart(static_cast<double>(b.row->scenario.cluster.devices), devices);
    };
    const Reached& nearest = *std::ranges::min_element(published(), isNearer);
    const Scenario& s = nearest.row->scenario;
    return fmt::format("published, of the training nearest in size{}: {} reached {:.0f} % on {} x {} ({})",
                       hasLike ? " on devices of this generation" : "", s.model.name, 100 * nearest.mfu,
                       s.cluster.devices, s.cluster.device->name, nearest.source->title);
}

}  // namespace plumb::planner
