// SPDX-License-Identifier: Apache-2.0
#include "core/findings/rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace plumb {
namespace {

constexpr double kOneKind = 0.2;
constexpr double kCopies = 0.05;
constexpr std::int64_t kManyUpdates = 50;  ///< operations of an optimizer that is not fused

constexpr std::array<std::string_view, 4> kCopyKinds{"aten::copy_", "aten::clone", "aten::_to_copy",
                                                     "aten::contiguous"};

Verdict oneKind(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    if (facts.plan() != nullptr) return Lack::Recorded;  // its few kinds have rules of their own
    std::map<std::string_view, OpGroup> kinds;
    for (std::int64_t op = 0; op < facts.step().opCount(); ++op)
        if (!facts.step().op(op).isProduct) facts.addTo(kinds[facts.step().opKind(op)], op);
    const auto largest =
        std::ranges::max_element(kinds, {}, [](const auto& each) { return each.second.seconds; });
    if (largest == kinds.end() || facts.share(largest->second.seconds) < kOneKind) return {};
    Finding finding = findingOf(facts, largest->second, "operations");
    finding.sentence = {"%1, which is no matrix product, takes %2 of the operations' time.",
                        {std::string(largest->first), Amount{finding.stake, "%"}}};
    finding.remedy.advice = {
        "Fuse it with its neighbours (torch.compile), or do it in a narrower format: what it "
        "moves decides how long it takes.",
        {}};
    return finding;
}

Verdict copies(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    const OpGroup copying = facts.groupOf([&](std::int64_t op) {
        return std::ranges::find(kCopyKinds, facts.step().opKind(op)) != kCopyKinds.end();
    });
    if (copying.count == 0 || facts.share(copying.seconds) < kCopies) return {};
    Finding finding = findingOf(facts, copying, "operations");
    finding.sentence = {"Copies take %1 of the operations' time, %2 of them.",
                        {Amount{finding.stake, "%"}, countOf(copying.count)}};
    finding.remedy.advice = {
        "Keep one format and one order of dimensions from op to op; .contiguous() and .to() in "
        "the model are where copies begin.",
        {}};
    return finding;
}

Verdict unfusedOptimizer(const Facts& facts) {
    if (!facts.hasTimes()) return Lack::Times;
    bool isFused = false;
    const OpGroup updates = facts.groupOf([&](std::int64_t op) {
        const std::string_view kind = facts.step().opKind(op);
        if (facts.step().op(op).phase != Phase::Optimizer || facts.step().op(op).isView()) return false;
        isFused = isFused || kind.find("_foreach_") != kind.npos || kind.find("_fused_") != kind.npos;
        return true;
    });
    if (isFused || updates.count < kManyUpdates) return {};
    Finding finding = findingOf(facts, updates, "operations");
    finding.sentence = {"The optimizer runs as %1 operations, in %2 of the operations' time.",
                        {countOf(updates.count), Amount{finding.stake, "%"}}};
    finding.remedy.advice = {"Make the optimizer with fused=True, which runs it as a few operations.", {}};
    return finding;
}

constexpr std::array kRecordedRules{
    Rule{"one-kind", "the kind, no product, that takes most of the time", oneKind},
    Rule{"copies", "the share of copies", copies},
    Rule{"unfused-optimizer", "the number of the optimizer's operations", unfusedOptimizer}};

}  // namespace

std::span<const Rule> recordedRules() { return kRecordedRules; }

}  // namespace plumb
