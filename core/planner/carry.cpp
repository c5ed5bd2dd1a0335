// SPDX-License-Identifier: Apache-2.0
#include "core/planner/carry.h"

#include "core/base/enum_array.h"

namespace plumb::planner {

namespace {

/// A transformer's batch, sequence and layout, or the deep linear model's.
bool sameLayout(const Scenario& a, const Scenario& b) {
    ParallelLayout of = a.parallel;
    of.microBatch = b.parallel.microBatch;
    return of == b.parallel && a.cluster.devices == b.cluster.devices &&
           a.cluster.devicesPerNode == b.cluster.devicesPerNode &&
           computationOf(a.recipe) == computationOf(b.recipe);
}

bool sameBatch(const Scenario& a, const Scenario& b) {
    if (a.parallel.microBatch != b.parallel.microBatch) return false;
    const auto first = resolve(a), second = resolve(b);
    return first.has_value() && second.has_value() && first->batch == second->batch;
}

bool sameModel(const Scenario& a, const Scenario& b) {
    const RunConfig *first = a.model.linear(), *second = b.model.linear();
    if (first == nullptr || second == nullptr)
        return a.model.kind == b.model.kind && a.adaptation == b.adaptation &&
               computeDtype(a) == computeDtype(b);
    RunConfig other = *first;
    other.batch = second->batch;
    other.microBatch = second->microBatch;
    other.recompute = second->recompute;
    return other == *second;
}

bool sameDevice(const Scenario& a, const Scenario& b) {
    const auto &first = a.cluster.device, &second = b.cluster.device;
    if (first.has_value() != second.has_value()) return false;
    if (first) return first->name == second->name;
    return a.given[Input::Peak] == b.given[Input::Peak];
}

}  // namespace

std::string_view name(Carry carry) {
    constexpr EnumArray<Carry, std::string_view> kNames{
        {"nothing", "same", "batch", "layout", "sequence", "model", "device"}};
    return kNames[carry];
}

std::string_view describe(Carry carry) {
    constexpr EnumArray<Carry, std::string_view> kWords{
        {"it says nothing of this kind of model", "of this very scenario", "carried to another batch",
         "carried to another layout", "carried to another length of sequence",
         "carried to another model or number format", "carried to another device or software"}};
    return kWords[carry];
}

Carry carryOf(const Scenario& measured, const Scenario& asked) {
    if (measured.model.kind.index() != asked.model.kind.index()) return Carry::Nothing;
    if (!sameDevice(measured, asked) || measured.software != asked.software) return Carry::Device;
    if (!sameModel(measured, asked)) return Carry::Model;
    const RunConfig *first = measured.model.linear(), *second = asked.model.linear();
    if (sequenceOf(measured) != sequenceOf(asked)) return Carry::Sequence;
    const bool recomputes = first != nullptr && !(first->recompute == second->recompute);
    if (recomputes || !sameLayout(measured, asked)) return Carry::Layout;
    const bool accumulates = first != nullptr && first->microBatch != second->microBatch;
    return !accumulates && sameBatch(measured, asked) ? Carry::Same : Carry::Batch;
}

CarryRule ruleOf(Carry carry) {
    // In the order of the enum.
    constexpr EnumArray<Carry, CarryRule> kRules{{{0, 1, 1},
                                                  {1, 1, 1},
                                                  {1, 0.84, 1.19},
                                                  {1, 0.8, 1.25},
                                                  {0.2, 0.6, 1.67},
                                                  {0.3, 0.84, 1.19},
                                                  {0.2, 0.82, 1.22}}};
    return kRules[carry];
}

}  // namespace plumb::planner
