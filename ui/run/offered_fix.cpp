// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/offered_fix.h"

#include "core/base/quantity.h"
#include "ui/run/recipe_sections.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/workbench/option_titles.h"

#include <QCoreApplication>
#include <QStringList>

namespace plumb::ui {

namespace {

struct FixWords {
    Q_DECLARE_TR_FUNCTIONS(plumb::ui::OfferedFix)
};

/// Of a recomputation, which has a field of its own in the panel.
bool isBudget(const RunConfig& config, const std::string& option) {
    return option == "checkpoint" && config.recompute.kind == RecomputePolicy::Kind::Fit;
}

QString shownTitle(const RunConfig& config, const std::string& option) {
    return isBudget(config, option) ? capitalised(RecomputeSection::tr("checkpoint budget"))
                                    : optionTitle(option);
}

/// A number as the window writes numbers, a budget in the unit of the panel's other sizes; else as it is.
QString shownValue(const RunConfig& config, const std::string& option, const std::string& value) {
    if (isBudget(config, option)) return bytesText(config.recompute.budgetBytes);
    bool isWhole = false;
    const qlonglong number = toText(value).toLongLong(&isWhole);
    return isWhole ? countText(number) : localText(value);
}

}  // namespace

std::optional<OfferedFix> offeredFix(const Error& error, const RunConfig& config, const BackendTraits& traits,
                                     std::optional<Bytes> memoryBytes, const QString& edited) {
    if (error.code != ErrorCode::BadInput && error.code != ErrorCode::OutOfMemory) return std::nullopt;
    const std::optional<ConfigFix> fix = fixOf(config, traits, memoryBytes);
    if (!fix || fix->refused.text() != error.text()) return std::nullopt;
    OfferedFix offered;
    offered.config = fix->config;
    QStringList each, titles;
    for (const auto& [option, value] : fix->changes) {
        titles << shownTitle(fix->config, option);
        each << (value.empty()
                     ? FixWords::tr("%1 left out").arg(titles.back())
                     : QStringLiteral("%1 = %2").arg(titles.back(), shownValue(fix->config, option, value)));
    }
    const bool isEdited = titles.size() == 1 && titles.front().compare(edited, Qt::CaseInsensitive) == 0;
    // What does not fit is the batch, which the error speaks of.
    const bool isNamed = fix->changes.size() == 1 && fix->refused.code == ErrorCode::OutOfMemory &&
                         fix->changes.front().first == "batch";
    const auto& [option, value] = fix->changes.front();
    offered.text = isEdited || isNamed ? FixWords::tr("Use %1").arg(shownValue(fix->config, option, value))
                                       : FixWords::tr("Set %1").arg(listText(each));
    offered.toolTip =
        FixWords::tr("Sets %1; all other settings stay as they are. Undo takes it back.").arg(listText(each));
    offered.setting = listText(titles).toLower();
    return offered;
}

}  // namespace plumb::ui
