// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_names.h"

#include "core/io/json_fields.h"
#include "core/model/config_json.h"
#include "ui/engine/curve_measurer.h"
#include "ui/history/history_model.h"
#include "ui/theme/text.h"

#include <algorithm>

namespace plumb::ui {
namespace {

/// What may tell an entry from others, in the order of its title.
QStringList traitsOf(const HistoryEntry& entry) {
    QStringList traits = historyTitle(entry).split(QStringLiteral(" · "), Qt::SkipEmptyParts);
    traits << historyKindTitle(entry.kind) << deviceText(entry.device.toStdString());
    return traits;
}
constexpr qsizetype kBesideTitle = 2;  // kind and device

}  // namespace

QString historyTitle(const HistoryEntry& entry) {
    QStringList parts{entry.title};
    const auto json = parseJson(entry.config.toStdString(), "the configuration");
    const auto config = json.has_value() ? configFromJson(*json) : Result<RunConfig>(json.error());
    if (!config.has_value()) return entry.title;
    if (config->microBatches() > 1) parts << tr("micro-batch %1").arg(countText(config->microBatch));
    if (config->recompute.kind != RecomputePolicy::Kind::All)
        parts << tr("activations: %1").arg(policyLabel(config->recompute));
    return parts.join(QStringLiteral(" · "));
}

QString historyName(const HistoryEntry& entry) {
    return tr("%1, %2").arg(historyTime(entry.began), historyTitle(entry));
}

QStringList historyNames(const std::vector<HistoryEntry>& entries) {
    std::vector<QStringList> traits;
    traits.reserve(entries.size());
    for (const HistoryEntry& entry : entries) traits.push_back(traitsOf(entry));
    QStringList names;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        QStringList own = traits[i], common;
        own.removeIf([&](const QString& trait) {
            const bool isCommon = std::ranges::all_of(
                traits, [&](const QStringList& others) { return others.contains(trait); });
            return isCommon || trait.isEmpty();
        });
        for (const QString& part : traits[i].mid(0, traits[i].size() - kBesideTitle))
            if (!own.contains(part)) common << part;
        QString name = historyTime(entries[i].began);
        if (!own.isEmpty()) name = tr("%1, %2").arg(own.join(QStringLiteral(" · ")), name);
        if (!common.isEmpty()) name = tr("%1, %2").arg(name, common.join(QStringLiteral(" · ")));
        names << name;
    }
    return names;
}

}  // namespace plumb::ui
