// SPDX-License-Identifier: Apache-2.0
#include "core/recorded/recorded_step.h"

#include "core/base/words.h"

namespace plumb {

void RecordedStep::addUp() {
    matmulFlops = recomputedFlops = flops = 0;
    bytes = 0;
    hasAllFlops = true;
    for (const RecordedOp& each : ops) {
        matmulFlops += each.matmulFlops;
        recomputedFlops += each.phase == Phase::Recompute ? each.matmulFlops : 0;
        flops += each.flops;
        bytes += each.bytes;
        hasAllFlops = hasAllFlops && each.hasFlops;
    }
}

std::string RecordedStep::opName(std::int64_t index) const {
    const RecordedOp& each = op(index);
    return each.name.empty() ? opLabel(index) : each.name;
}

std::string RecordedStep::opLabel(std::int64_t index) const {
    const RecordedOp& each = op(index);
    return each.module.empty() ? each.kind : each.module + " · " + each.kind;
}

std::string nameInWords(const Step& step, std::string_view name) {
    if (dynamic_cast<const RecordedStep*>(&step) == nullptr) return inWords(name);
    constexpr std::string_view kBetween = " · ";
    std::string text;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find(kBetween, begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        text += kPhaseNames.find(part) ? inWords(part) : std::string(part);
        if (end < name.size()) text += kBetween;
        begin = end + kBetween.size();
    }
    return text;
}

}  // namespace plumb
