// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/palette_sources.h"

#include "core/lab/lesson.h"
#include "ui/lab/lab_view.h"
#include "ui/planner/planner_view.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_settings.h"
#include "ui/settings/samples.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/document_tab.h"
#include "ui/shell/file_actions.h"
#include "ui/shell/help_actions.h"
#include "ui/shell/lessons.h"
#include "ui/shell/mark_actions.h"
#include "ui/shell/palette_lookup.h"
#include "ui/shell/preset_actions.h"
#include "ui/shell/session.h"
#include "ui/shell/shown_views.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/workbench/step_text.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>

namespace plumb::ui {
namespace {

/// "view.dockRight": dock right view. Who types no Chinese finds an action by them in the Chinese window, and
/// a view before what is done in it: "notes view" begins with what "add notes" ends with. A language has its
/// English name, which its action, in the words of the language itself, has not.
QString wordsOf(const QString& id) {
    static const QRegularExpression capital(QStringLiteral("(?=[A-Z])"));
    QString words = id.section(QLatin1Char('.'), 1) + QLatin1Char(' ') + id.section(QLatin1Char('.'), 0, 0);
    if (const QLocale::Language of = QLocale(id.section(QLatin1Char('.'), 2)).language();
        id.startsWith(QStringLiteral("view.language.")) && of != QLocale::C)
        words.prepend(QLocale::languageToString(of) + QLatin1Char(' '));
    return words.replace(capital, QStringLiteral(" ")).toLower();
}

PaletteSource actionSource(ActionRegistry& actions) {
    return [&actions](std::vector<PaletteEntry>& entries) {
        for (QAction* action : actions.all()) {
            if (!action->isEnabled()) continue;
            const QString id = action->objectName();
            const bool isView = id.startsWith(QStringLiteral("view."));
            const bool isTab = isView && ViewStack::tabOf(id.mid(5)) >= 0;
            entries.push_back({plainText(*action), isView ? tr("View") : tr("Action"), action->statusTip(),
                               action->shortcut().toString(QKeySequence::NativeText),
                               [action] { action->trigger(); }, wordsOf(id), isTab});
        }
    };
}

/// "batch" goes to the setting ...
PaletteSource settingSource(Session& session, RunPanel& panel) {
    return [&session, &panel](std::vector<PaletteEntry>& entries) {
        if (session.workbench.recording() != nullptr) return;  // its settings are not those of the panel
        std::vector<RunSetting> settings = runSettings(session.workbench.config());
        settings.push_back(stepsOfRun(session.controller.next().steps()));
        for (const RunSetting& setting : settings)
            entries.push_back({setting.title, tr("Setting"), toText(setting.option), setting.value,
                               [&panel, setting] { panel.focusSetting(setting.option); }});
    };
}

/// ... and "batch 512" sets it.
void addSettingsWith(const QString& typed, const Session& session, RunPanel& panel,
                     std::vector<PaletteEntry>& entries) {
    if (session.workbench.recording() != nullptr) return;
    for (const RunSetting& setting : settingsWith(session.workbench.config(), typed))
        entries.push_back({tr("Set %1 to %2").arg(setting.title, localText(setting.value.toStdString())),
                           tr("Setting"), toText(setting.option), QString(),
                           [&panel, setting] { panel.enter(setting.option, setting.value); }});
}

PaletteSource stepSource(Session& session, ViewStack& views) {
    const auto go = [&session, &views](const char* view, std::int32_t op) {
        const ScenePtr scene = session.workbench.scene();
        const Step& step = *scene->whatIf.step;
        const bool isThere = op >= 0 && op < step.opCount();
        views.goTo(QLatin1String(view), isThere ? toText(step.opId(op)) : QString());
    };
    return [&session, &views, go](std::vector<PaletteEntry>& entries) {
        const ScenePtr scene = session.workbench.scene();
        const Step& step = *scene->whatIf.step;
        for (std::int32_t op = 0; op < step.opCount(); ++op)
            entries.push_back({stepText(step, step.opName(op)), tr("Operation"), toText(step.opId(op)),
                               QString(), [go, op] { go("operations", op); }});
        for (TensorId id = 0; id < step.tensorCount(); ++id) {
            const QString name = stepText(step, step.tensorName(id));
            entries.push_back(
                {name, tr("Tensor"), coreText(categoryLabel(step.tensor(id).category)),
                 bytesText(step.tensorBytes(id)), [&views, go, name, first = step.tensor(id).firstOp] {
                     go("memory", first);
                     QWidget* memory = views.showView(QStringLiteral("memory"));
                     if (auto* filter = memory->findChild<QLineEdit*>(QStringLiteral("tensorFilter")))
                         filter->setText(name);
                 }});
        }
    };
}

PaletteSource lessonSource(Lessons& lessons) {
    return [&lessons](std::vector<PaletteEntry>& entries) {
        for (std::size_t i = 0; i < lab::builtInLessons().size(); ++i)
            entries.push_back({toText(lab::builtInLessons().at(i).title), tr("Lesson"),
                               tr("Short lessons that use the live program"), QString(),
                               [&lessons, i] { lessons.open(static_cast<int>(i)); }});
    };
}

PaletteSource presetSource(PresetActions& presets) {
    return [&presets](std::vector<PaletteEntry>& entries) {
        if (!presets.canApply()) return;
        for (const Preset& preset : presets.presets().all() + builtInPresets())
            entries.push_back({preset.name, tr("Preset"), tr("Give the panel the settings of this preset"),
                               QString(), [&presets, preset] { presets.apply(preset); }});
    };
}

PaletteSource questionSource(ViewStack& views) {
    return [&views](std::vector<PaletteEntry>& entries) {
        const std::vector<PlannerQuestion>& questions = plannerQuestions();
        for (std::size_t i = 0; i < questions.size(); ++i)
            entries.push_back({questions[i].title, tr("Planner"), questions[i].label, QString(), [&views, i] {
                                   PlannerView& planner = showPlanner(views);
                                   planner.showEvidence(false);
                                   planner.edits().setQuestion(static_cast<int>(i));
                               }});
    };
}

PaletteSource deviceSource(DeviceChoices& devices) {
    return [&devices](std::vector<PaletteEntry>& entries) {
        for (std::size_t i = 0; i < devices.all().size(); ++i) {
            const DeviceChoice& choice = devices.all()[i];
            if (!choice.enabled) continue;
            entries.push_back({choice.name(), tr("Device"),
                               choice.canRun ? tr("Run on it") : tr("Predict for it"), QString(),
                               [&devices, i] { devices.choose(static_cast<int>(i)); }});
        }
    };
}

PaletteSource fileSource(FileActions& files, const Settings& settings) {
    return [&files, &settings](std::vector<PaletteEntry>& entries) {
        for (const QStringList& paths : settings.recentFiles())
            entries.push_back({QFileInfo(paths.front()).fileName(), tr("Recent file"),
                               paths.join(QStringLiteral(", ")), QString(),
                               [&files, paths] { files.open(paths); }});
        for (const QString& path : sampleFiles())
            entries.push_back(
                {sampleTitle(path), tr("Sample"), path, QString(), [&files, path] { files.open({path}); }});
    };
}

PaletteSource tabSource(DocumentTab& tab) {
    return [&tab](std::vector<PaletteEntry>& entries) {
        for (const OpenDocument& document : tab.others())
            entries.push_back({document.name, tr("Open document"), document.path, QString(), document.show});
    };
}

PaletteSource labSource(ViewStack& views) {
    return [&views](std::vector<PaletteEntry>& entries) {
        for (const LabExample& example : labExamples())
            entries.push_back({example.title, tr("Lab"), example.detail, QString(),
                               [&views, show = example.show] { show(showLab(views)); }});
    };
}

}  // namespace

PaletteSources paletteSources(const PaletteScope& scope) {
    return {{actionSource(scope.actions), settingSource(scope.session, scope.panel), tabSource(scope.tab),
             scope.marks.source(), lessonSource(scope.lessons), presetSource(scope.presets),
             fileSource(scope.files, scope.settings), questionSource(scope.views)},
            {stepSource(scope.session, scope.views), scope.lookup.findings(), labSource(scope.views),
             scope.lookup.runs(), deviceSource(scope.session.controller.devices()), scope.help.source()},
            [&session = scope.session, &panel = scope.panel](const QString& typed,
                                                             std::vector<PaletteEntry>& entries) {
                addSettingsWith(typed, session, panel, entries);
            }};
}

}  // namespace plumb::ui
