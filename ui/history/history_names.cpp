// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_names.h"

#include "ui/history/history_model.h"
#include "ui/theme/text.h"

#include <algorithm>

namespace plumb::ui {
namespace {

/// What may tell an entry from others, in the order of its title.
QStringList traitsOf(const HistoryEntry& entry) {
    QStringList traits = entry.title.split(QStringLiteral(" · "), Qt::SkipEmptyParts);
    traits << historyKindTitle(entry.kind) << deviceText(entry.device.toStdString());
    return traits;
}

}  // namespace

QString historyName(const HistoryEntry& entry) {
    return tr("%1, %2").arg(historyTime(entry.began), entry.title);
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
        for (const QString& part : entries[i].title.split(QStringLiteral(" · "), Qt::SkipEmptyParts))
            if (!own.contains(part)) common << part;
        QString name = historyTime(entries[i].began);
        if (!own.isEmpty()) name = tr("%1, %2").arg(own.join(QStringLiteral(" · ")), name);
        if (!common.isEmpty()) name = tr("%1, %2").arg(name, common.join(QStringLiteral(" · ")));
        names << name;
    }
    return names;
}

}  // namespace plumb::ui
