// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/spread_text.h"

#include "ui/theme/text.h"

namespace plumb::ui {

QString spreadSumText(const Spread& sum) {
    return tr("10 % to 90 % of the steps, added up over the operations: %1 to %2")
        .arg(quantityText(sum.low, "s"), quantityText(sum.high, "s"));
}

}  // namespace plumb::ui
