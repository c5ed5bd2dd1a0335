// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_actions.h"

#include "core/base/entry_at.h"
#include "ui/lab/lab_view.h"
#include "ui/run/run_panel.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/shown_views.h"
#include "ui/shell/side_panel.h"
#include "ui/shell/side_rail.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QActionGroup>

namespace plumb::ui {

ViewActions::ViewActions(ActionRegistry& actions, ViewStack& views, Theme& theme, Settings& settings,
                         QWidget& window)
    : QObject(&window) {
    // Ten digits; a view beyond them has the palette.
    constexpr int kDigits = 10;
    int digit = 0;
    for (int i = 0; i < ViewStack::tabCount(); ++i) {
        const ViewStack::Spec& view = entryAt(ViewStack::views(), i);
        const QString title = ViewStack::tr(view.title);
        QKeySequence key;
        if (view.key != nullptr)
            key = keys(view.key);
        else if (++digit <= kDigits)
            key = QKeySequence(QStringLiteral("Ctrl+%1").arg(digit % kDigits));
        actions.add({QStringLiteral("view.") + QLatin1String(view.id), title,
                     tr("Show the view %1").arg(withoutMnemonic(title)), key},
                    [&views, i] { views.goToTab(i); });
    }
    const auto follow = [&actions, &views] {
        for (int i = 0; i < ViewStack::tabCount(); ++i) {
            QAction* action =
                actions.action(QStringLiteral("view.") + QLatin1String(entryAt(ViewStack::views(), i).id));
            action->setEnabled(views.isThere(i));
            action->setVisible(views.isThere(i));
        }
    };
    connect(&views, &ViewStack::tabsChanged, this, follow);
    follow();
    auto* group = new QActionGroup(this);
    const auto addTheme = [&](Theme::Mode mode, const QString& text, const QString& tip) {
        QAction* action = actions.add({themeId(mode), text, tip, {}, true}, [&settings, &theme, mode] {
            Preferences preferences = settings.preferences();
            preferences.look.mode = mode;
            settings.setPreferences(preferences);
            theme.setMode(mode);
        });
        action->setActionGroup(group);
        action->setChecked(settings.preferences().look.mode == mode);
    };
    addTheme(Theme::Mode::System, tr("Theme of the &system"), tr("Light or dark as the desktop is"));
    addTheme(Theme::Mode::Light, tr("&Light theme"), tr("Always light"));
    addTheme(Theme::Mode::Dark, tr("&Dark theme"), tr("Always dark"));
    addLanguages(actions, settings);
}

QString ViewActions::themeId(Theme::Mode mode) {
    return mode == Theme::Mode::Light  ? QStringLiteral("view.themeLight")
           : mode == Theme::Mode::Dark ? QStringLiteral("view.themeDark")
                                       : QStringLiteral("view.themeSystem");
}

QStringList ViewActions::languages() {
    QStringList ids;
    for (int i = 0; i <= static_cast<int>(lastOf(Language())); ++i)
        ids << QStringLiteral("view.language.") + languageId(static_cast<Language>(i));
    return ids;
}

void ViewActions::addLanguages(ActionRegistry& actions, Settings& settings) {
    auto* group = new QActionGroup(this);
    // WindowHost listens to these, too.
    const auto add = [&](Language language, const QString& text, const QString& tip) {
        QAction* action =
            actions.add({QStringLiteral("view.language.") + languageId(language), text, tip, {}, true},
                        [&settings, language] {
                            Preferences preferences = settings.preferences();
                            preferences.language = language;
                            settings.setPreferences(preferences);
                        });
        action->setActionGroup(group);
        action->setChecked(settings.preferences().language == language);
    };
    add(Language::System, tr("Language of the s&ystem"),
        tr("The language of the desktop, where there is one of these"));
    add(Language::English, languageName(Language::English), QStringLiteral("The window in English"));
    add(Language::SimplifiedChinese, languageName(Language::SimplifiedChinese),
        QStringLiteral("窗口使用简体中文"));
}

PanelActions::PanelActions(ActionRegistry& actions, SidePanel& side, RunPanel& panel, QWidget& window)
    : QObject(&window) {
    QAction* fold =
        actions.add({QStringLiteral("view.panel"), tr("&Panel at the left"),
                     tr("Show the panel beside the views, or fold it to a rail"), keys("F4"), true},
                    [&side] { side.setUnfolded(!side.isUnfolded()); });
    const auto follow = [&side, fold] { fold->setChecked(side.isUnfolded()); };
    connect(&side, &SidePanel::foldingChanged, this, follow);
    follow();
    side.rail().addRunButtons(actions);
    const auto show = [&side](const RunPanelState& state) {
        side.rail().setPaused(state.isPaused);
        side.rail().setMemory(state.memoryShare, state.memoryToolTip);
    };
    connect(&panel, &RunPanel::shown, this, show);
    show(panel.state());
}

LabActions::LabActions(ActionRegistry& actions, ViewStack& views, QWidget& window) : QObject(&window) {
    actions.add({QStringLiteral("lab.dtypes"),
                 tr("Lab: &number formats"),
                 tr("See what every number format makes of a value"),
                 {}},
                [&views] { showLab(views).setPage(0); });
    actions.add({QStringLiteral("lab.tensors"),
                 tr("Lab: &tensors in memory"),
                 tr("See what slices, views and copies do to a tensor's memory"),
                 {}},
                [&views] { showLab(views).setPage(1); });
    actions.add({QStringLiteral("lab.einsum"),
                 tr("Lab: &expressions"),
                 tr("See what an expression over named dimensions costs, and its gradients"),
                 {}},
                [&views] { showLab(views).setPage(2); });
    actions.add({QStringLiteral("lab.collectives"),
                 tr("Lab: colle&ctives"),
                 tr("See what each rank sends in every step of a collective, and what that takes"),
                 {}},
                [&views] { showLab(views).setPage(3); });
    actions.add({QStringLiteral("lab.copy"), tr("&Copy from the Lab"),
                 tr("Copy what the page of the Lab shows as text"), keys("Ctrl+Shift+C")},
                [&views] { showLab(views).copy(); });
    actions.add({QStringLiteral("lab.exportTensor"),
                 tr("Export the live &tensor…"),
                 tr("Have the engine write the weight, gradient or activation that the Lab shows as .npy"),
                 {}},
                [&views] { showLab(views).exportLive(false); });
    actions.add({QStringLiteral("lab.exportWeights"),
                 tr("Export all learned &weights…"),
                 tr("Have the engine write the weights of the training as .safetensors"),
                 {}},
                [&views] { showLab(views).exportLive(true); });
}

}  // namespace plumb::ui
