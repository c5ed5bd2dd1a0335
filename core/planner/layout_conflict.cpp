// SPDX-License-Identifier: Apache-2.0
#include "core/planner/layout_conflict.h"

#include "core/base/quantity.h"
#include "core/planner/inputs.h"
#include "core/planner/layout_fields.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace plumb::planner {

namespace {

constexpr std::int64_t kMicroBatchesPerStage = 4;  // a bubble of a fifth at most, when nothing is said

/// Divisors of `whole` that are at most `most`, the largest first.
std::vector<std::int64_t> divisorsUpTo(std::int64_t whole, std::int64_t most) {
    std::vector<std::int64_t> found;
    for (std::int64_t small = 1; small <= whole / small; ++small) {
        if (whole % small != 0) continue;
        if (small <= most) found.push_back(small);
        if (whole / small != small && whole / small <= most) found.push_back(whole / small);
    }
    std::sort(found.begin(), found.end(), std::greater<>());
    return found;
}

std::optional<LayoutConflict> conflictWithModel(const LayoutFacts& facts, std::int64_t shared) {
    using enum LayoutConflict;
    const Transformer& m = *facts.model;
    const ParallelLayout& p = facts.layout;
    if (m.heads % p.tensor != 0) return Heads;
    // Embedding and head can be chunks of their own, and the last chunks can have a layer less than the
    // others.
    const std::int64_t chunks = mulOrOverflow(p.pipeline, p.chunks);
    if (chunks < 1 || chunks > m.layers + 2) return Layers;
    if (p.expert > 1 && !m.experts) return NoExperts;
    if (m.experts && m.experts->count % p.expert != 0) return Experts;
    if (shared % p.expert != 0) return DataExperts;
    if (facts.sequence % p.context != 0) return Sequence;
    return std::nullopt;
}

/// Looks for numbers that mend a layout.
class Mending {
public:
    explicit Mending(const LayoutFacts& facts) : m_facts(facts) {}

    LayoutFixes fixes() {
        constexpr std::size_t kMostFixes = 4;
        for (std::size_t count = 1; count <= kMostFixes && m_tries < kMostTries; ++count)
            if (mend(count)) return m_fixes;
        return {};
    }

private:
    static constexpr int kMostTries = 4000;

    /// With at most `count` further numbers.
    bool mend(std::size_t count) {
        const auto conflict = conflictOf(m_facts);
        if (!conflict) return true;
        if (count == 0) return false;
        for (const auto& candidate : candidatesFor(*conflict)) {
            const Input input = candidate.first;
            const std::int64_t value = candidate.second;
            if (++m_tries > kMostTries) return false;
            const bool isFixed = std::any_of(m_fixes.begin(), m_fixes.end(),
                                             [&](const auto& fix) { return fix.first == input; });
            if (isFixed || static_cast<double>(value) > info(input).most) continue;
            std::int64_t& number = numberOfInput(input);
            if (number == value) continue;
            const std::int64_t before = std::exchange(number, value);
            m_fixes.emplace_back(input, value);
            if (mend(count - 1)) return true;
            m_fixes.pop_back();
            number = before;
        }
        return false;
    }

    std::int64_t& numberOfInput(Input input) {
        switch (input) {
        case Input::Devices:
            return m_facts.devices;
        case Input::Sequence:
            return m_facts.sequence;
        case Input::Batch:
            return m_facts.batch;
        default:
            return *degreeField(m_facts.layout, input);
        }
    }

    static void addAll(LayoutFixes& into, Input input, const std::vector<std::int64_t>& values) {
        for (const std::int64_t value : values) into.emplace_back(input, value);
    }

    /// In the order in which they are tried: what is nearest to what was asked for comes first.
    LayoutFixes candidatesFor(LayoutConflict conflict) const {
        using enum LayoutConflict;
        const ParallelLayout& p = m_facts.layout;
        const std::int64_t each = m_facts.each();
        const std::int64_t shared = each > 0 ? m_facts.devices / each * p.context : 1;
        LayoutFixes all;
        switch (conflict) {
        case Devices:
            return candidatesForDevices(each);
        case Chunks:
            all.emplace_back(Input::Chunks, 1);
            break;
        case ShardGroup:
            addAll(all, Input::ShardGroup, divisorsUpTo(shared, std::max<std::int64_t>(p.shardGroup, 1)));
            all.emplace_back(Input::ShardGroup, 0);
            break;
        case ShardedExperts:
            for (const std::int64_t group : divisorsUpTo(shared, shared))
                if (group % p.expert == 0) all.emplace_back(Input::ShardGroup, group);
            std::reverse(all.begin(), all.end());  // the smallest that holds all experts
            all.emplace_back(Input::ShardGroup, 0);
            break;
        case Heads:
            addAll(all, Input::Tensor, divisorsUpTo(m_facts.model->heads, p.tensor));
            break;
        case Layers: {
            const std::int64_t most = m_facts.model->layers + 2;
            if (p.chunks > 1 && most / p.pipeline > 0) all.emplace_back(Input::Chunks, most / p.pipeline);
            addAll(all, Input::Pipeline, divisorsUpTo(m_facts.devices, most / p.chunks));
            if (p.chunks > 1) all.emplace_back(Input::Chunks, 1);
            break;
        }
        case NoExperts:
            all.emplace_back(Input::Expert, 1);
            break;
        case Experts:
            addAll(all, Input::Expert, divisorsUpTo(m_facts.model->experts->count, p.expert));
            break;
        case DataExperts:
            addAll(all, Input::Expert, divisorsUpTo(shared, p.expert));
            break;
        case Sequence:
            for (const std::int64_t context : divisorsUpTo(m_facts.sequence, p.context))
                if (context > 1) all.emplace_back(Input::Context, context);
            // An image has as many tokens as it has.
            if (m_facts.model->patch == 0 && m_facts.sequence > p.context)
                all.emplace_back(Input::Sequence, m_facts.sequence / p.context * p.context);
            all.emplace_back(Input::Context, 1);
            break;
        case LinearLayout:
            break;
        case LinearBatch:
            addAll(all, Input::Devices, divisorsUpTo(m_facts.batchOfStep(), m_facts.devices));
            break;
        case Batch: {
            const std::int64_t once = mulOrOverflow(m_facts.devices / each, p.microBatch);
            if (once < 1) break;
            all.emplace_back(Input::Batch,
                             std::max<std::int64_t>(1, (m_facts.batch + once / 2) / once) * once);
            break;
        }
        }
        return all;
    }

    /// Other degrees, the largest one first; other numbers of devices before them where there are enough.
    LayoutFixes candidatesForDevices(std::int64_t each) const {
        const ParallelLayout& p = m_facts.layout;
        LayoutFixes degrees, devices;
        std::vector<std::pair<Input, std::int64_t>> given{
            {Input::Pipeline, p.pipeline}, {Input::Tensor, p.tensor}, {Input::Context, p.context}};
        std::ranges::stable_sort(given, std::greater<>(), &std::pair<Input, std::int64_t>::second);
        for (const auto& [input, degree] : given)
            if (degree > 1) addAll(degrees, input, divisorsUpTo(m_facts.devices, degree));
        if (each >= 1)
            for (const std::int64_t count : {m_facts.devices / each, m_facts.devices / each + 1})
                if (count > 0) devices.emplace_back(Input::Devices, mulOrOverflow(count, each));
        std::erase_if(devices, [](const auto& fix) { return fix.second < 1; });
        const bool isEnough = each >= 1 && m_facts.devices >= each;
        LayoutFixes& first = isEnough ? devices : degrees;
        const LayoutFixes& second = isEnough ? degrees : devices;
        first.insert(first.end(), second.begin(), second.end());
        return std::move(first);
    }

    LayoutFacts m_facts;
    LayoutFixes m_fixes;
    int m_tries = 0;
};

}  // namespace

std::int64_t LayoutFacts::each() const {
    return mulOrOverflow(mulOrOverflow(layout.tensor, layout.pipeline), layout.context);
}

std::int64_t LayoutFacts::batchOfStep() const {
    if (batch != 0) return batch;
    if (linearBatch > 0) return linearBatch;
    const std::int64_t once = mulOrOverflow(devices / each(), layout.microBatch);
    return mulOrOverflow(once, layout.pipeline > 1 ? kMicroBatchesPerStage * layout.pipeline : 1);
}

std::optional<LayoutConflict> conflictOf(const LayoutFacts& facts) {
    using enum LayoutConflict;
    const ParallelLayout& p = facts.layout;
    const std::int64_t each = facts.each();
    if (each < 1 || facts.devices % each != 0) return Devices;
    if (p.chunks > 1 && p.pipeline == 1) return Chunks;
    const std::int64_t data = facts.devices / each, shared = data * p.context;
    if (p.shardGroup != 0) {
        if (p.shardGroup < 1 || shared % p.shardGroup != 0) return ShardGroup;
        if (p.shardGroup % p.expert != 0) return ShardedExperts;
    }
    if (facts.model != nullptr)
        if (const auto conflict = conflictWithModel(facts, shared)) return conflict;
    const std::int64_t batch = facts.batchOfStep();
    if (facts.linearBatch > 0) {
        if (each != 1 || p.expert != 1) return LinearLayout;
        return batch % data != 0 ? std::optional(LinearBatch) : std::nullopt;
    }
    const std::int64_t once = mulOrOverflow(data, p.microBatch);
    if (once < 1 || batch < 1 || batch % once != 0) return Batch;
    return std::nullopt;
}

LayoutFixes fixesOf(const LayoutFacts& facts) { return Mending(facts).fixes(); }

}  // namespace plumb::planner
