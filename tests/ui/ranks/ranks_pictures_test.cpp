// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the view of the devices in both themes and languages. PLUMB_PICTURES=FOLDER keeps the pictures.
#include "tests/ui/pictures.h"
#include "tests/ui/ranks/rank_scenes.h"
#include "tests/ui/support.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/run_controller.h"
#include "ui/ranks/ranks_view.h"
#include "ui/ranks/what_if_row.h"
#include "ui/theme/translations.h"
#include "ui/workbench/config_history.h"

#include <QApplication>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

struct PicturedRanks {
    explicit PicturedRanks(Theme& theme) : m_theme(theme) {}

    QImage draw(QSize size, const QString& name) {
        RanksView view({workbench, m_theme}, history, controller);
        view.resize(size);
        view.show();
        if (asksFor > 0) child<WhatIfRow>(view, "whatIfRow")->ask(asksFor);
        for (int i = 0; i < 4; ++i) QCoreApplication::processEvents();
        return picture(view, QStringLiteral("devices-%1-%2").arg(name, themeName(m_theme)));
    }

    Workbench workbench;
    ConfigHistory history{workbench};
    EngineClient engine;
    RunController controller{workbench, engine};
    std::int64_t asksFor = 0;

private:
    Theme& m_theme;
};

TEST(RanksPictures, AreDrawnInBothThemesAndLanguages) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    constexpr int kFewColours = 12;
    inBothThemes([&](Theme& theme) {
        Translations translations(*qApp);
        for (const Language language : {Language::English, Language::SimplifiedChinese}) {
            translations.use(language);
            const QString id = languageId(language);
            PicturedRanks of(theme);
            EXPECT_GT(coloursIn(of.draw({936, 560}, QStringLiteral("alone-") + id)), 2);
            showRanked(of.workbench, rankedConfig(2, 16));
            for (const QSize size : {QSize(936, 640), QSize(1316, 816)})
                EXPECT_GT(coloursIn(of.draw(size, QStringLiteral("2-%1-%2").arg(size.width()).arg(id))),
                          kFewColours);
            showRanked(of.workbench, rankedConfig(8, 16));
            of.asksFor = 4;
            EXPECT_GT(coloursIn(of.draw({1316, 816}, QStringLiteral("8-") + id)), kFewColours);
        }
        translations.use(Language::English);
    });
}

}  // namespace
}  // namespace plumb::ui::test
