// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench.h"

#include <algorithm>

namespace plumb::ui {

const OpReading* Scene::measuredOp(const std::string& id) const {
    if (!measured) return nullptr;
    if (measuredIndex) {
        const auto found = measuredIndex->find(id);
        return found == measuredIndex->end() ? nullptr : &measured->ops[found->second];
    }
    const auto found = std::ranges::find(measured->ops, id, &OpReading::id);
    return found == measured->ops.end() ? nullptr : &*found;
}

}  // namespace plumb::ui
