// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_names.h"

#include "core/io/json_fields.h"
#include "core/model/config_json.h"
#include "ui/engine/curve_measurer.h"
#include "ui/history/history_model.h"
#include "ui/theme/text.h"
#include "ui/workbench/option_titles.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace plumb::ui {
namespace {

std::optional<RunConfig> configOf(const QString& text) {
    const auto json = parseJson(text.toStdString(), "the configuration");
    auto config = json.has_value() ? configFromJson(*json) : Result<RunConfig>(json.error());
    return config.has_value() ? std::optional(*std::move(config)) : std::nullopt;
}

QString titleOf(const QString& title, const RunConfig& config) {
    QStringList parts{title};
    if (config.microBatches() > 1) parts << tr("micro-batch %1").arg(countText(config.microBatch));
    if (config.recompute.kind != RecomputePolicy::Kind::All)
        parts << tr("activations: %1").arg(policyLabel(config.recompute));
    return parts.join(QStringLiteral(" · "));
}

/// Titles of configurations that have the name of their step in common, by their keys.
QHash<QString, QString> titlesOf(const QString& common, const QHash<QString, QString>& configs) {
    std::map<QString, std::vector<std::pair<QString, RunConfig>>> alike;
    for (auto each = configs.cbegin(); each != configs.cend(); ++each)
        if (std::optional<RunConfig> config = configOf(each.value()))
            alike[titleOf(common, *config)].emplace_back(each.key(), *std::move(config));
    QHash<QString, QString> titles;
    for (const auto& [title, group] : alike) {
        std::vector<std::string_view> differing;
        for (const OptionInfo& option : runOptions())
            if (std::ranges::any_of(group, [&, &first = group.front().second](const auto& each) {
                    return optionValue(each.second, option.name) != optionValue(first, option.name);
                }))
                differing.push_back(option.name);
        for (const auto& [key, config] : group)
            titles[key] = QStringList{title, optionsText(config, differing)}.join(
                differing.empty() ? QString() : QStringLiteral(" · "));
    }
    return titles;
}

std::int64_t minuteOf(const HistoryEntry& entry) { return entry.began / 60'000; }

/// What may tell an entry from others, in the order of its title.
QStringList traitsOf(const HistoryEntry& entry, const HistoryLabels& labels) {
    QStringList traits = labels.title(entry).split(QStringLiteral(" · "), Qt::SkipEmptyParts);
    traits << historyKindTitle(entry.kind) << deviceText(entry.device.toStdString());
    return traits;
}
constexpr qsizetype kBesideTitle = 2;  // kind and device

}  // namespace

QString historyTitle(const HistoryEntry& entry) {
    const std::optional<RunConfig> config = configOf(entry.config);
    return config ? titleOf(entry.title, *config) : entry.title;
}

void HistoryLabels::setEntries(const std::vector<HistoryEntry>& entries) {
    QHash<QString, ByKey> configs;
    m_minutes.clear();
    for (const HistoryEntry& entry : entries) {
        configs[entry.title].insert(entry.configKey, entry.config);
        ++m_minutes[minuteOf(entry)];
    }
    m_titles.removeIf([&](auto title) { return configs.value(title.key()) != m_configs.value(title.key()); });
    m_configs = std::move(configs);
}

QString HistoryLabels::title(const HistoryEntry& entry) const {
    if (!m_titles.contains(entry.title))
        m_titles[entry.title] = titlesOf(entry.title, m_configs.value(entry.title));
    return m_titles[entry.title].value(entry.configKey, entry.title);
}

QString HistoryLabels::time(const HistoryEntry& entry) const {
    return historyTime(entry.began, m_minutes.value(minuteOf(entry)) > 1);
}

QString historyName(const HistoryEntry& entry) {
    return tr("%1, %2").arg(historyTime(entry.began), historyTitle(entry));
}

QStringList historyNames(const std::vector<HistoryEntry>& entries) {
    HistoryLabels labels;
    labels.setEntries(entries);
    std::vector<QStringList> traits;
    traits.reserve(entries.size());
    for (const HistoryEntry& entry : entries) traits.push_back(traitsOf(entry, labels));
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
        QString name = labels.time(entries[i]);
        if (!own.isEmpty()) name = tr("%1, %2").arg(own.join(QStringLiteral(" · ")), name);
        if (!common.isEmpty()) name = tr("%1, %2").arg(name, common.join(QStringLiteral(" · ")));
        names << name;
    }
    return names;
}

}  // namespace plumb::ui
