// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/manual_values.h"

#include "core/findings/finding.h"
#include "core/machine/attainable.h"
#include "core/machine/op_cost_key.h"
#include "core/measure/divergence.h"
#include "ui/history/history_entry.h"
#include "ui/run/key_figures_state.h"
#include "ui/theme/text.h"

#include <array>
#include <utility>

namespace plumb::ui {
namespace {

struct ManualValue {
    const char* name;
    QString (*text)();
};

QString percentOf(double share) { return tr("%1 %").arg(numberText(share * 100)); }

const std::array kManualValues{
    ManualValue{"product-low", [] { return percentOf(kProductShare.low); }},
    ManualValue{"product-expected", [] { return percentOf(kProductShare.expected); }},
    ManualValue{"product-high", [] { return percentOf(kProductShare.high); }},
    ManualValue{"published-low", [] { return percentOf(kPublishedShare.low); }},
    ManualValue{"published-expected", [] { return percentOf(kPublishedShare.expected); }},
    ManualValue{"published-high", [] { return percentOf(kPublishedShare.high); }},
    ManualValue{"memory-low", [] { return percentOf(kMemoryShare.low); }},
    ManualValue{"memory-expected", [] { return percentOf(kMemoryShare.expected); }},
    ManualValue{"memory-high", [] { return percentOf(kMemoryShare.high); }},
    ManualValue{"launch-low", [] { return quantityText(kLaunchSeconds.low, "s"); }},
    ManualValue{"launch-expected", [] { return quantityText(kLaunchSeconds.expected, "s"); }},
    ManualValue{"launch-high", [] { return quantityText(kLaunchSeconds.high, "s"); }},
    ManualValue{"context-low", [] { return quantityText(kContextBytes.low, "B"); }},
    ManualValue{"context-high", [] { return quantityText(kContextBytes.high, "B"); }},
    ManualValue{"shallow-layers", [] { return countText(kShallowLayers); }},
    ManualValue{"deep-layers", [] { return countText(kDeepLayers); }},
    ManualValue{"good-difference", [] { return percentOf(kGoodDifference); }},
    ManualValue{"fair-difference", [] { return percentOf(kFairDifference); }},
    ManualValue{"warning-stake", [] { return percentOf(kWarningStake); }},
    ManualValue{"serious-stake", [] { return percentOf(kSeriousStake); }},
    ManualValue{"history-bytes",
                [] { return quantityText(static_cast<double>(HistoryBounds::kBytes), "B"); }},
    ManualValue{"history-entries", [] { return countText(HistoryBounds::kEntries); }},
    ManualValue{"diverges-least", [] { return countText(DivergenceRule::kLeastLosses); }},
    ManualValue{"diverges-lowest", [] { return numberText(DivergenceRule::kAboveLowest); }},
    ManualValue{"diverges-first", [] { return numberText(DivergenceRule::kAboveFirst); }},
    ManualValue{"diverges-begun", [] { return numberText(DivergenceRule::kAboveBegun); }},
};

}  // namespace

QString withManualValues(QString text) {
    for (const ManualValue& value : kManualValues)
        text.replace(QStringLiteral("{{%1}}").arg(QLatin1String(value.name)), value.text());
    return text;
}

QStringList manualValueNames() {
    QStringList names;
    for (const ManualValue& value : kManualValues) names << QLatin1String(value.name);
    return names;
}

}  // namespace plumb::ui
