// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_settings.h"

#include "core/base/typed_number.h"
#include "ui/theme/text.h"
#include "ui/workbench/option_titles.h"

#include <algorithm>
#include <array>
#include <string>

namespace plumb::ui {
namespace {

struct Control {
    std::string_view option;
    std::string_view control;
};
/// Options whose control in the run panel is not called as they are.
constexpr std::array kControls{Control{"micro-batch", "microBatch"},
                               Control{"master-weights", "masterWeights"},
                               Control{"grad-dtype", "fp32Gradients"}, Control{"lr", "learningRate"}};

/// Files are chosen, and the device decides the backend.
bool isTyped(std::string_view option) {
    return option != "data" && option != "targets" && option != "backend";
}

/// Every word begins one of the title or of the name: "micro" and "batch b", but not "atch".
bool isNamed(const RunSetting& setting, const QStringList& words) {
    const QStringList names = (setting.title + QLatin1Char(' ') + toText(setting.option).replace(u'-', u' '))
                                  .split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return !words.isEmpty() && std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return std::any_of(names.begin(), names.end(),
                           [&](const QString& name) { return name.startsWith(word, Qt::CaseInsensitive); });
    });
}

}  // namespace

QString controlOf(std::string_view option) {
    const auto found = std::ranges::find(kControls, option, &Control::option);
    return toText(found == kControls.end() ? option : found->control);
}

std::vector<RunSetting> runSettings(const RunConfig& config) {
    std::vector<RunSetting> settings;
    for (const OptionInfo& info : runOptions())
        if (info.name != "backend" && optionApplies(config, info.name))
            settings.push_back({info.name, optionTitle(info.name), toText(optionValue(config, info.name))});
    return settings;
}

RunSetting stepsOfRun(std::int64_t steps) {
    return {kStepsOfRun, tr("Steps"), steps > 0 ? QString::number(steps) : QStringLiteral("∞")};
}

Result<RunConfig> withTyped(const RunConfig& config, std::string_view option, const QString& typed,
                            const std::string& prefix) {
    return parseTyped(typed.toStdString(), [&](const std::string& plain) -> Result<RunConfig> {
        RunConfig next = config;
        PLUMB_CHECK(setOption(next, option, prefix + plain));
        return next;
    });
}

std::vector<RunSetting> settingsWith(const RunConfig& config, const QString& typed) {
    const QStringList all = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    // The steps of the run come first: those of a schedule have the same title.
    std::vector<RunSetting> settings{stepsOfRun(0)};
    for (RunSetting& setting : runSettings(config)) settings.push_back(std::move(setting));
    std::vector<RunSetting> fitting;
    // A number may have blanks between its groups: "batch 2 048". The longest name that there is counts.
    for (qsizetype named = all.size() - 1; named > 0 && fitting.empty(); --named) {
        const std::string value = all.mid(named).join(QLatin1Char(' ')).toStdString();
        for (RunSetting setting : settings) {
            if (!isTyped(setting.option) || !isNamed(setting, all.first(named))) continue;
            const auto isTaken = [&](const std::string& plain) {
                if (setting.option == kStepsOfRun) return parseSize(plain).has_value();
                RunConfig wanted = config;
                return setOption(wanted, setting.option, plain).has_value();
            };
            for (const std::string& plain : numberReadings(value, isTaken)) {
                if (!isTaken(plain)) continue;
                setting.value = toText(plain);
                fitting.push_back(setting);
            }
        }
    }
    // "batch 512" names the batch itself before the micro-batch.
    std::ranges::stable_sort(fitting, {}, [&](const RunSetting& setting) {
        return setting.title.startsWith(all.front(), Qt::CaseInsensitive) ? 0 : 1;
    });
    return fitting;
}

}  // namespace plumb::ui
