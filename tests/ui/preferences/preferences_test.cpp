// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/entry_at.h"
#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/preferences/preferences_dialog.h"
#include "ui/run/run_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_frame.h"
#include "ui/shell/window_host.h"
#include "ui/theme/text.h"
#include "ui/theme/translations.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <optional>

namespace plumb::ui::test {
namespace {

/// The program with its preferences open; leaves the process as it was.
class PreferencesTest : public testing::TestWithParam<Language> {
protected:
    PreferencesTest() {
        theme.apply(*qApp);
        settings.setPreferences(atStart());
        translations.use(GetParam());
        host.emplace(settings, theme, translations);
        host->window().engine().setCommand(fakeEngine(QStringLiteral("normal")));
        host->frame().show();
    }
    ~PreferencesTest() override {
        host.reset();
        use({}, theme);
        setNumberStyle({});
        QApplication::setFont(font);
    }
    /// What is in force at the start: the mark is named, for the system's may be either.
    [[nodiscard]] static Preferences atStart() {
        Preferences preferences;
        preferences.decimal = DecimalMark::Point;
        preferences.language = GetParam();
        return preferences;
    }
    [[nodiscard]] PreferencesDialog& dialog() {
        if (host->window().findChild<PreferencesDialog*>() == nullptr)
            host->window().actions().action(QStringLiteral("edit.preferences"))->trigger();
        return *host->window().findChild<PreferencesDialog*>();
    }
    /// Chooses the entry with the keyboard, as people do, and waits for the window in its form.
    [[nodiscard]] bool choose(const char* name, int index, bool makesNewWindow) {
        const QPointer<MainWindow> old(&host->window());
        auto* box = child<QComboBox>(dialog(), name);
        box->setFocus();
        while (box != nullptr && box->currentIndex() != index)
            QTest::keyClick(box, box->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
        return !makesNewWindow || waitFor([&] { return old.isNull(); });
    }

    FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    QFont font = QApplication::font();
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
    Translations translations{*qApp};
    std::optional<WindowHost> host;
};

// A choice by arrows goes through those between; each would make the window, and the dialog, anew.
TEST_P(PreferencesTest, TakeEveryKeyThatIsPressedAfterAnother) {
    const QPointer<QComboBox> box(child<QComboBox>(dialog(), "preferencesScale"));
    const QPointer<MainWindow> old(&host->window());
    box->setFocus();
    for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Down, Qt::Key_Down, Qt::Key_Down}) {
        ASSERT_FALSE(box.isNull());
        QTest::keyClick(box, key);
        QTest::qWait(50);
    }
    EXPECT_EQ(box->currentIndex(), 3);
    ASSERT_TRUE(waitFor([&] { return old.isNull(); }));
    EXPECT_EQ(child<QComboBox>(dialog(), "preferencesScale")->currentIndex(), 3);
    EXPECT_EQ(settings.preferences().look.fontScale, 1.1);
}

TEST_P(PreferencesTest, ColoursChangeAtOnceAreKeptAndComeBackOnCancel) {
    const Theme::Look before = theme.look();
    QTest::keyClick(child<QCheckBox>(dialog(), "preferencesContrast"), Qt::Key_Space);
    EXPECT_TRUE(theme.look().highContrast);
    QTest::keyClick(child<QCheckBox>(dialog(), "preferencesSafe"), Qt::Key_Space);
    EXPECT_TRUE(theme.look().safeColors);
    ASSERT_TRUE(choose("preferencesTheme", 2, false));
    EXPECT_TRUE(theme.isDark());
    EXPECT_TRUE(host->window().actions().action(QStringLiteral("view.themeDark"))->isChecked());
    EXPECT_EQ(settings.preferences().look, theme.look());
    const QPointer<PreferencesDialog> open(&dialog());
    QTest::keyClick(open, Qt::Key_Escape);
    EXPECT_EQ(theme.look(), before);
    EXPECT_EQ(settings.preferences().look, before);
    EXPECT_TRUE(host->window().actions().action(QStringLiteral("view.themeSystem"))->isChecked());
    EXPECT_TRUE(waitFor([&] { return open.isNull(); }));
}

/// Where the preferences stand when they are shown: what moves later is seen to jump.
class ShownPlaces final : public QObject {
public:
    ShownPlaces() { qApp->installEventFilter(this); }
    QList<QPoint> places;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Show && qobject_cast<PreferencesDialog*>(watched) != nullptr)
            places << static_cast<QWidget*>(watched)->pos();
        return false;
    }
};

TEST_P(PreferencesTest, StayWhereTheyAreWithEveryChange) {
    const QPoint place(61, 83);
    dialog().move(place);
    ShownPlaces shown;
    ASSERT_TRUE(choose("preferencesDecimal", 2, true));
    ASSERT_TRUE(choose("preferencesBytes", 1, true));
    EXPECT_EQ(shown.places, QList<QPoint>({place, place}));
    EXPECT_EQ(dialog().pos(), place);
}

TEST_P(PreferencesTest, LettersUnitsAndMarksAreThoseOfTheWholeWindowAndTheDialogStaysOpen) {
    const double usual = host->window().font().pointSizeF();
    ASSERT_TRUE(choose("preferencesScale", 5, true));
    EXPECT_DOUBLE_EQ(host->window().font().pointSizeF(), 1.5 * usual);
    ASSERT_NE(host->window().findChild<PreferencesDialog*>(), nullptr) << "it went with the window";
    EXPECT_EQ(dialog().focusWidget()->objectName(), QStringLiteral("preferencesScale"));
    ASSERT_TRUE(choose("preferencesBytes", 1, true));
    EXPECT_EQ(byteUnits(), ByteUnits::Binary);
    EXPECT_TRUE(child<QLabel>(dialog(), "preferencesSample")->text().contains(QStringLiteral("80.0 GiB")));
    ASSERT_TRUE(choose("preferencesDecimal", 2, true));
    EXPECT_TRUE(child<QLabel>(dialog(), "preferencesSample")->text().contains(QStringLiteral("80,0 GiB")));
    ASSERT_TRUE(choose("preferencesGroup", 1, true));
    EXPECT_TRUE(child<QLabel>(dialog(), "preferencesSample")->text().contains(QStringLiteral("83.886.080")));
    EXPECT_EQ(child<QComboBox>(dialog(), "preferencesGroup")->currentText(), PreferencesDialog::tr("Point"));
    ASSERT_TRUE(choose("preferencesDecimal", 1, true));
    EXPECT_TRUE(child<QLabel>(dialog(), "preferencesSample")->text().contains(QStringLiteral("83,886,080")))
        << "never the decimal mark";
    ASSERT_TRUE(choose("preferencesDecimal", 2, true));
    QStringList sizes;
    for (const QLabel* label : host->window().findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("MB")) || label->text().contains(QStringLiteral("GB")))
            sizes << label->text();
    EXPECT_EQ(sizes.filter(QRegularExpression(QStringLiteral("[0-9] [kMG]B($|[^/])"))), QStringList());
    // Cancel brings back what was in force before the first of them.
    const QPointer<MainWindow> old(&host->window());
    QTest::keyClick(&dialog(), Qt::Key_Escape);
    ASSERT_TRUE(waitFor([&] { return old.isNull(); }));
    EXPECT_EQ(host->window().findChild<PreferencesDialog*>(), nullptr);
    EXPECT_EQ(byteUnits(), ByteUnits::Si);
    EXPECT_DOUBLE_EQ(host->window().font().pointSizeF(), usual);
    EXPECT_EQ(settings.preferences(), atStart());
}

TEST_P(PreferencesTest, AreAllAsTheyComeAfterAReset) {
    Preferences preferences = settings.preferences();
    preferences.look.safeColors = true;
    preferences.look.fontScale = 1.1;
    settings.setPreferences(preferences);
    use(preferences, theme);
    const QPointer<MainWindow> old(&host->window());
    QTest::mouseClick(child<QPushButton>(dialog(), "preferencesReset"), Qt::LeftButton);
    EXPECT_EQ(settings.preferences(), Preferences{});
    EXPECT_EQ(theme.look(), Theme::Look{});
    ASSERT_TRUE(waitFor([&] { return old.isNull() || GetParam() == Language::System; }));
    QTest::keyClick(&dialog(), Qt::Key_Return);
    EXPECT_EQ(settings.preferences(), Preferences{}) << "accepted";
}

TEST_P(PreferencesTest, SpeakTheLanguageOfTheWindowAndHaveNamesForScreenReaders) {
    const bool chinese = GetParam() == Language::SimplifiedChinese;
    EXPECT_EQ(dialog().windowTitle(), chinese ? QStringLiteral("首选项") : QStringLiteral("Preferences"));
    for (const QComboBox* box : dialog().findChildren<QComboBox*>()) {
        EXPECT_FALSE(box->accessibleName().isEmpty()) << box->objectName().toStdString();
        EXPECT_FALSE(box->accessibleName().endsWith(QLatin1Char(':')));
    }
}

TEST_P(PreferencesTest, CutNothingOffAndDrawTheWindowInEveryLook) {
    const QString language = languageId(GetParam());
    for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark})
        for (const bool contrast : {false, true}) {
            use({.look = {.mode = mode, .highContrast = contrast}}, theme);
            const QString look = QStringLiteral("%1-%2%3").arg(
                language, themeName(theme), contrast ? QStringLiteral("-contrast") : QString());
            EXPECT_GT(coloursIn(picture(host->frame(), QStringLiteral("window-") + look)), 10);
            EXPECT_GT(coloursIn(picture(dialog(), QStringLiteral("preferences-") + look)), 10);
            for (const QWidget* part : dialog().findChildren<QWidget*>())
                if (part->isVisible())
                    EXPECT_GE(part->width(), part->minimumSizeHint().width())
                        << part->objectName().toStdString();
        }
}

INSTANTIATE_TEST_SUITE_P(Languages, PreferencesTest,
                         testing::Values(Language::English, Language::SimplifiedChinese),
                         [](const auto& language) {
                             return language.param == Language::English ? "English" : "Chinese";
                         });

}  // namespace
}  // namespace plumb::ui::test
