// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/cpu_ranks.h"

#include "core/machine/local_cpu.h"
#include "core/model/rank_choices.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/option_titles.h"

namespace plumb::ui {

bool sharesRanks(const DeviceChoice& choice) {
    return choice.target.machine.backend == "cpu" && choice.target.traits.exchanges && choice.ofEngine &&
           choice.enabled;
}

std::vector<std::int64_t> offeredRanks(const DeviceChoice& choice) {
    if (!sharesRanks(choice)) return {};
    constexpr std::int64_t kElsewhere = 4, kMost = 8;
    const std::int64_t cores = choice.place.isEmpty() ? localCpuIdentity().usableCores : kElsewhere;
    std::vector<std::int64_t> offered;
    for (std::int64_t ranks = 2; ranks <= std::min(cores, kMost); ranks *= 2) offered.push_back(ranks);
    return offered;
}

QString cpuRanksText(std::int64_t ranks) { return DeviceChoices::tr("%1 CPU ranks").arg(ranks); }

Result<void> takeRanks(const RunConfig& config, ConfigHistory& history, std::int64_t ranks) {
    return history.change(withRanks(config, ranks), optionTitle("data-parallel").toLower());
}

}  // namespace plumb::ui
