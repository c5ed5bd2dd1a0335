// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/allocator_axis.h"

#include "ui/theme/text.h"

#include <algorithm>
#include <array>

namespace plumb::ui {

ChartColor groupColor(MemoryKey key, const MemoryGroups& groups, std::size_t index) {
    static constexpr std::array<std::pair<const char*, Category>, 5> kOrigins{{
        {"forward", Category::Activations},
        {"backward", Category::Gradients},
        {"optimizer", Category::OptimizerState},
        {"workspace", Category::Workspace},
        {"other", Category::Parameters},
    }};
    if (groups.hasRest && index + 1 == groups.names.size()) return ColorRole::Ghost;
    if (key == MemoryKey::Category) {
        if (groups.names[index] == "unknown") return ColorRole::Ghost;
        for (const auto& [name, category] : kOrigins)
            if (groups.names[index] == name) return category;
        if (const auto ours = kCategoryNames.find(groups.names[index])) return *ours;
    }
    // A category that the file gives itself, and other keys: 11 colours that differ from their neighbours.
    static const std::array<ChartColor, 11> kColors{Category::Parameters,     Category::Activations,
                                                    Category::OptimizerState, Category::Gradients,
                                                    Category::Workspace,      Category::MasterParameters,
                                                    Category::Data,           Category::ActivationGradients,
                                                    Phase::Recompute,         Phase::Loss,
                                                    Phase::Optimizer};
    return kColors[index % kColors.size()];
}

QString groupText(MemoryKey key, const std::string& name) {
    if (key == MemoryKey::Category) {
        // Files spell them with underlines: "activation_gradients".
        std::string spoken = name;
        std::ranges::replace(spoken, '_', ' ');
        return coreText(spoken);
    }
    // "not recorded", "12 others": no name of a program has blanks.
    const bool isOurs = key == MemoryKey::SizeClass || name.find(' ') != name.npos;
    return isOurs ? coreText(name) : toText(name);
}

}  // namespace plumb::ui
