// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/presets.h"

#include "tests/ui/pictures.h"
#include "tests/ui/run/panel_fixture.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/run/presets_dialog.h"
#include "ui/run/run_settings.h"
#include "ui/theme/translations.h"

#include <QAbstractSlider>
#include <QApplication>
#include <QCheckBox>
#include <QInputDialog>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>

#include <algorithm>
#include <optional>

namespace plumb::ui::test {
namespace {

RunConfig wide() {
    RunConfig config;
    config.dim = 2048;
    config.learningRate = 0.005;
    config.precision = Precision::Bf16;
    return config;
}

struct Kept {
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Presets presets{settings};
    [[nodiscard]] QStringList names() const {
        QStringList all;
        for (const Preset& preset : presets.all()) all << preset.name;
        return all;
    }
    [[nodiscard]] QString write(const QByteArray& text) const {
        QFile file(folder.filePath(QStringLiteral("given.json")));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        return file.fileName();
    }
};

TEST(Presets, AreKeptBetweenStartsAsTheyWere) {
    Kept kept;
    Presets presets(kept.settings);
    ASSERT_TRUE(presets.save({QStringLiteral(" wide "), wide()}).has_value());
    ASSERT_TRUE(presets.save({QStringLiteral("usual"), {}}).has_value());
    const QList<Preset> expected{{QStringLiteral("wide"), wide()}, {QStringLiteral("usual"), {}}};
    EXPECT_EQ(kept.presets.all(), expected) << "another window sees them, too";
    EXPECT_EQ(presetsFrom(presetsText(expected).toStdString(), "text").value(), expected);
}

TEST(Presets, HaveEachTheirOwnName) {
    Kept kept;
    ASSERT_TRUE(kept.presets.save({QStringLiteral("a"), {}}).has_value());
    ASSERT_TRUE(kept.presets.save({QStringLiteral("b"), {}}).has_value());
    ASSERT_TRUE(kept.presets.save({QStringLiteral("a"), wide()}).has_value());
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("a"), QStringLiteral("b")}));
    EXPECT_EQ(kept.presets.all().front().config, wide()) << "saved again under its name";
    EXPECT_FALSE(kept.presets.rename(QStringLiteral("a"), QStringLiteral("b")).has_value());
    EXPECT_FALSE(kept.presets.rename(QStringLiteral("a"), QStringLiteral("  ")).has_value());
    EXPECT_FALSE(kept.presets.save({QString(), {}}).has_value());
    EXPECT_TRUE(kept.presets.rename(QStringLiteral("a"), QStringLiteral("c")).has_value());
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("c"), QStringLiteral("b")}));
    const Preset first = kept.presets.all().front();
    kept.presets.remove(QStringLiteral("c"));
    EXPECT_EQ(kept.names(), QStringList{QStringLiteral("b")});
    kept.presets.insert(0, first);
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("c"), QStringLiteral("b")}));
}

TEST(Presets, GoFromFileToFileAndNothingIsOverwritten) {
    Kept kept;
    const QString file = kept.folder.filePath(QStringLiteral("out.json"));
    ASSERT_TRUE(kept.presets.save({QStringLiteral("a"), wide()}).has_value());
    ASSERT_TRUE(Presets::exportTo(file, kept.presets.all()).has_value());
    EXPECT_EQ(kept.presets.import(file).value(), 1);
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("a"), QStringLiteral("a 2")}));
    EXPECT_EQ(kept.presets.all().back().config, wide());
}

TEST(Presets, OfAFileThatIsNoneAreRefusedWithASentence) {
    Kept kept;
    const auto said = [&](const QByteArray& text) {
        const Result<qsizetype> added = kept.presets.import(kept.write(text));
        EXPECT_FALSE(added.has_value()) << text.toStdString();
        return added.has_value() ? std::string() : added.error().text();
    };
    EXPECT_NE(said("no JSON").find("given.json"), std::string::npos);
    EXPECT_NE(said("{}").find("holds no presets"), std::string::npos);
    EXPECT_NE(said("[1]").find("given.json"), std::string::npos);
    EXPECT_NE(said(R"({"format": "plumbline presets", "version": 9, "presets": []})").find("newer"),
              std::string::npos);
    const std::string bad = said(
        R"({"format": "plumbline presets", "version": 1, "presets": [{"name": "x", "config": {"dim": -3}}]})");
    EXPECT_NE(bad.find("presets[0].config.dim"), std::string::npos) << bad;
    (void)said(R"({"format": "plumbline presets", "version": 1, "presets": [{"name": " ", "config": {}}]})");
    (void)said(R"({"format": "plumbline presets", "version": 1, "presets": [{"name": "x"}]})");
    EXPECT_FALSE(kept.presets.import(kept.folder.filePath(QStringLiteral("none.json"))).has_value());
    EXPECT_TRUE(kept.presets.all().isEmpty()) << "nothing of a bad file is taken";
}

TEST(Presets, ThatComeWithTheProgramCanBeTrainedAndDiffer) {
    const QList<Preset> all = builtInPresets();
    for (const Preset& one : all) {
        EXPECT_TRUE(validate(one.config).has_value()) << one.name.toStdString();
        EXPECT_EQ(std::ranges::count(all, one.config, &Preset::config), 1) << one.name.toStdString();
    }
}

/// The window with the dialog open, in one of its languages.
class PresetsDialogTest : public testing::TestWithParam<Language> {
protected:
    PresetsDialogTest() {
        translations.use(GetParam());
        shell.emplace();
        shell->theme.apply(*qApp);
        shell->trigger("run.presets");
    }
    ~PresetsDialogTest() override {
        shell.reset();
        QApplication::setFont(font);
        QApplication::setPalette(palette);
    }
    [[nodiscard]] PresetsDialog& dialog() {
        auto* const open = shell->window.findChild<PresetsDialog*>();
        if (open == nullptr) shell->trigger("run.presets");
        return *shell->window.findChild<PresetsDialog*>();
    }
    void press(const char* button) {
        auto* const one = child<QPushButton>(dialog(), button);
        EXPECT_TRUE(one->isEnabled()) << button;
        QTest::mouseClick(one, Qt::LeftButton);
    }
    [[nodiscard]] QListWidget& list() { return *child<QListWidget>(dialog(), "presetsList"); }
    void answer(const QString& text) {
        const QList<QInputDialog*> all = dialog().findChildren<QInputDialog*>();
        const auto open = std::ranges::find_if(all, &QWidget::isVisible);
        ASSERT_NE(open, all.end());
        QInputDialog* const question = *open;
        question->setTextValue(text);
        question->accept();
    }

    QFont font = QApplication::font();
    QPalette palette = QApplication::palette();
    Translations translations{*qApp};
    std::optional<Shell> shell;
};

TEST_P(PresetsDialogTest, SavesAppliesAndTakesBack) {
    Workbench& workbench = shell->window.workbench();
    const RunConfig before = workbench.config();
    press("presetsSave");
    answer(QStringLiteral("mine"));
    EXPECT_EQ(list().currentItem()->text(), QStringLiteral("mine"));
    EXPECT_EQ(list().count(), builtInPresets().size() + 1);
    list().setCurrentRow(2);  // the second example
    const RunConfig wanted = builtInPresets().at(1).config;
    press("presetsApply");
    EXPECT_EQ(workbench.config(), wanted);
    shell->trigger("edit.undo");
    EXPECT_EQ(workbench.config(), before);
    shell->trigger("edit.redo");
    EXPECT_EQ(workbench.config(), wanted);
}

TEST_P(PresetsDialogTest, RenamesDeletesAndTakesTheDeletedBack) {
    press("presetsSave");
    answer(QStringLiteral("mine"));
    press("presetsRename");
    answer(QStringLiteral("yours"));
    EXPECT_EQ(list().currentItem()->text(), QStringLiteral("yours"));
    press("presetsDelete");
    EXPECT_EQ(list().count(), builtInPresets().size());
    press("presetsUndo");
    EXPECT_EQ(list().currentItem()->text(), QStringLiteral("yours"));
    list().setCurrentRow(1);
    EXPECT_FALSE(child<QPushButton>(dialog(), "presetsDelete")->isEnabled()) << "an example stays";
    press("presetsSave");
    answer(QStringLiteral("  "));
    const QString said = child<QLabel>(dialog(), "presetsSays")->text();
    EXPECT_FALSE(said.isEmpty());
    EXPECT_EQ(list().count(), builtInPresets().size() + 1) << said.toStdString();
}

TEST_P(PresetsDialogTest, SaysWhatCameOfAFile) {
    auto* const says = child<QLabel>(dialog(), "presetsSays");
    dialog().importFrom(shell->write("bad.json", "{}"));
    EXPECT_TRUE(says->text().contains(QStringLiteral("bad.json"))) << says->text().toStdString();
    EXPECT_EQ(list().count(), builtInPresets().size());
    dialog().importFrom(shell->write("good.json", presetsText({{QStringLiteral("theirs"), wide()}})));
    EXPECT_EQ(list().item(0)->text(), QStringLiteral("theirs"));
    dialog().exportTo(shell->file("out.json"));
    EXPECT_TRUE(QFile::exists(shell->file("out.json")));
    EXPECT_GT(coloursIn(picture(dialog(), QStringLiteral("presets-") + languageId(GetParam()))), 5);
}

TEST_P(PresetsDialogTest, IsReachedFromThePanel) {
    const QPointer<PresetsDialog> first(&dialog());
    first->close();
    ASSERT_TRUE(waitFor([&] { return first.isNull(); }));
    QTest::mouseClick(child<QPushButton>(shell->window, "presetsButton"), Qt::LeftButton);
    EXPECT_TRUE(dialog().isVisible());
    EXPECT_GT(coloursIn(picture(shell->window, QStringLiteral("panel-") + languageId(GetParam()))), 5);
}

INSTANTIATE_TEST_SUITE_P(Languages, PresetsDialogTest,
                         testing::Values(Language::English, Language::SimplifiedChinese),
                         [](const auto& language) {
                             return language.param == Language::English ? "English" : "Chinese";
                         });

/// Changes what `widget` shows as a hand would; false where that means nothing for it.
bool poke(QWidget& widget) {
    if (auto* const slider = qobject_cast<QAbstractSlider*>(&widget)) {
        QTest::keyClick(slider, slider->value() < slider->maximum() ? Qt::Key_Right : Qt::Key_Left);
        return true;
    }
    if (auto* const box = qobject_cast<QComboBox*>(&widget)) {
        QTest::keyClick(box, box->currentIndex() + 1 < box->count() ? Qt::Key_Down : Qt::Key_Up);
        return true;
    }
    if (auto* const button = qobject_cast<QAbstractButton*>(&widget)) {
        if (!button->isCheckable() || button->isChecked() == button->autoExclusive()) return false;
        button->click();
        return true;
    }
    return false;
}

TEST(Undo, TakesBackWhateverAControlOfThePanelChanges) {
    Panel panel;
    const RunConfig start = panel.workbench.config();
    int changes = 0;
    for (const char* section : {"", "advancedButton"}) {
        if (*section != 0) child<QAbstractButton>(panel.panel, section)->click();
        for (QWidget* widget : panel.panel.findChildren<QWidget*>()) {
            if (!widget->isVisible() || !widget->isEnabled() ||
                widget->objectName() == QLatin1String(section))
                continue;
            const int steps = panel.history.stack().count();
            if (!poke(*widget) || panel.workbench.config() == start) continue;
            ++changes;
            EXPECT_EQ(panel.history.stack().count(), steps + 1) << widget->objectName().toStdString();
            EXPECT_FALSE(panel.history.stack().undoText().isEmpty()) << widget->objectName().toStdString();
            panel.history.stack().undo();
            EXPECT_EQ(panel.workbench.config(), start) << widget->objectName().toStdString();
            panel.history.stack().clear();
        }
    }
    EXPECT_GE(changes, 12);
}

TEST(Undo, TakesBackWhateverIsTypedInThePanel) {
    Panel panel;
    const RunConfig start = panel.workbench.config();
    int changes = 0;
    for (const RunSetting& setting : runSettings(start)) {
        for (const char* value :
             {"2", "0.5", "on", "off", "relu", "bf16", "sgd", "sqrt", "cosine", "naive"}) {
            RunConfig wanted = start;
            if (!setOption(wanted, setting.option, value).has_value() || !validate(wanted).has_value() ||
                wanted == start)
                continue;
            panel.panel.enter(setting.option, QString::fromLatin1(value));
            EXPECT_EQ(optionValue(panel.workbench.config(), setting.option),
                      optionValue(wanted, setting.option))
                << setting.option;
            panel.history.stack().undo();
            EXPECT_EQ(panel.workbench.config(), start) << setting.option;
            ++changes;
            break;
        }
    }
    EXPECT_GE(changes, 18);
}

}  // namespace
}  // namespace plumb::ui::test
