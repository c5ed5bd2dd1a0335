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
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
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
    void give(const QByteArray& text) {
        EXPECT_TRUE(settings.changePresets([&](const QByteArray&) { return text; }).has_value());
    }
    /// One of a program that knows another precision, behind one that can be read.
    void giveAnUnreadOne() {
        give(presetsText({{QStringLiteral("good"), {}}, {QStringLiteral("odd"), wide()}})
                 .replace(R"("precision": "bf16")", R"("precision": "fp2")"));
    }
    /// The path of the same settings for somebody else: QSettings shares what it has read by its path.
    [[nodiscard]] QString ofAnotherWindow() const {
        EXPECT_TRUE(QFile::link(folder.path(), folder.filePath(QStringLiteral("link"))));
        return folder.filePath(QStringLiteral("link/window.ini"));
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
    EXPECT_FALSE(kept.presets.save({QStringLiteral("a"), wide()}).has_value());
    EXPECT_EQ(kept.presets.all().front().config, RunConfig()) << "nobody wanted it replaced";
    ASSERT_TRUE(kept.presets.save({QStringLiteral("a"), wide()}, IfTaken::Replace).has_value());
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("a"), QStringLiteral("b")}));
    EXPECT_EQ(kept.presets.all().front().config, wide()) << "saved again under its name";
    EXPECT_FALSE(kept.presets.rename(QStringLiteral("a"), QStringLiteral("b")).has_value());
    EXPECT_FALSE(kept.presets.rename(QStringLiteral("a"), QStringLiteral("  ")).has_value());
    EXPECT_FALSE(kept.presets.save({QString(), {}}).has_value());
    EXPECT_TRUE(kept.presets.rename(QStringLiteral("a"), QStringLiteral("c")).has_value());
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("c"), QStringLiteral("b")}));
    const Result<RemovedPreset> first = kept.presets.remove(QStringLiteral("c"));
    EXPECT_EQ(kept.names(), QStringList{QStringLiteral("b")});
    EXPECT_FALSE(kept.presets.remove(QStringLiteral("c")).has_value());
    EXPECT_EQ(kept.presets.putBack(first.value()).value(), QStringLiteral("c"));
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("c"), QStringLiteral("b")}));
}

TEST(Presets, OfTwoWindowsStayBoth) {
    Kept kept;
    Settings others{kept.ofAnotherWindow()};
    Presets theirs(others);
    ASSERT_TRUE(kept.presets.save({QStringLiteral("ours"), wide()}).has_value());
    EXPECT_TRUE(theirs.has(QStringLiteral("ours")));
    ASSERT_TRUE(theirs.save({QStringLiteral("theirs"), {}}).has_value());
    ASSERT_TRUE(kept.presets.save({QStringLiteral("ours too"), {}}).has_value());
    EXPECT_EQ(kept.names(),
              QStringList({QStringLiteral("ours"), QStringLiteral("theirs"), QStringLiteral("ours too")}));
    EXPECT_EQ(theirs.all(), kept.presets.all());
}

TEST(Presets, ThatCannotBeReadStayAsTheyAre) {
    Kept kept;
    kept.giveAnUnreadOne();
    const auto isThere = [&] { return kept.settings.presets().contains(R"("precision": "fp2")"); };
    EXPECT_EQ(kept.names(), QStringList{QStringLiteral("good")});
    ASSERT_EQ(kept.presets.unread().size(), 1);
    EXPECT_EQ(kept.presets.unread().front().name, QStringLiteral("odd"));
    EXPECT_NE(kept.presets.unread().front().why.message.find("precision"), std::string::npos);
    ASSERT_TRUE(kept.presets.save({QStringLiteral("new"), wide()}).has_value());
    ASSERT_TRUE(kept.presets.rename(QStringLiteral("good"), QStringLiteral("better")).has_value());
    EXPECT_FALSE(kept.presets.save({QStringLiteral("odd"), wide()}, IfTaken::Replace).has_value());
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("better"), QStringLiteral("new")}));
    EXPECT_TRUE(isThere());
    const Result<RemovedPreset> odd = kept.presets.remove(QStringLiteral("odd"));
    EXPECT_FALSE(isThere());
    EXPECT_EQ(kept.presets.putBack(odd.value()).value(), QStringLiteral("odd"));
    EXPECT_TRUE(isThere());
}

TEST(Presets, AreNotWrittenOverWhatIsNoListOfThem) {
    for (const QByteArray& text : {QByteArray("no JSON"), QByteArray(R"({"format": "other"})"),
                                   QByteArray(R"({"format": "plumbline presets", "version": 9})")}) {
        Kept kept;
        kept.give(text);
        EXPECT_TRUE(kept.presets.problem().has_value()) << text.toStdString();
        EXPECT_FALSE(kept.presets.save({QStringLiteral("a"), {}}).has_value()) << text.toStdString();
        EXPECT_EQ(kept.settings.presets(), text);
    }
}

TEST(Presets, ThatCannotBeWrittenAreNotKept) {
    Kept kept;
    Settings settings(kept.write("a file") + QStringLiteral("/window.ini"));
    Presets presets(settings);
    const Result<void> saved = presets.save({QStringLiteral("a"), {}});
    ASSERT_FALSE(saved.has_value());
    EXPECT_EQ(saved.error().code, ErrorCode::Io);
    EXPECT_TRUE(presets.all().isEmpty());
}

TEST(Presets, OfADiskThatWasFullForAWhileAreKeptAfterwards) {
    Kept kept;
    ASSERT_TRUE(kept.presets.save({QStringLiteral("a"), {}}).has_value());
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit full{0, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
    const bool isSaved = kept.presets.save({QStringLiteral("b"), {}}).has_value();
    const QStringList names = kept.names();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)std::signal(SIGXFSZ, ignored);
    EXPECT_FALSE(isSaved);
    EXPECT_EQ(names, QStringList{QStringLiteral("a")});
    EXPECT_TRUE(kept.presets.save({QStringLiteral("c"), {}}).has_value());
    EXPECT_EQ(kept.names(), QStringList({QStringLiteral("a"), QStringLiteral("c")}));
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

TEST_P(PresetsDialogTest, AsksBeforeItReplaces) {
    Presets presets(shell->settings);
    ASSERT_TRUE(presets.save({QStringLiteral("mine"), wide()}).has_value());
    const auto answerWith = [&](QMessageBox::ButtonRole role) {
        press("presetsSave");
        answer(QStringLiteral(" mine "));
        const QList<QMessageBox*> all = dialog().findChildren<QMessageBox*>();
        const auto question = std::ranges::find_if(all, &QWidget::isVisible);
        ASSERT_NE(question, all.end());
        EXPECT_EQ(presets.all().front().config, wide()) << "before the answer";
        for (QAbstractButton* button : (*question)->buttons())
            if ((*question)->buttonRole(button) == role) QTest::mouseClick(button, Qt::LeftButton);
    };
    answerWith(QMessageBox::RejectRole);
    EXPECT_EQ(presets.all().front().config, wide());
    answerWith(QMessageBox::DestructiveRole);
    EXPECT_EQ(presets.all().front().config, shell->window.workbench().config());
    EXPECT_EQ(presets.all().size(), 1);
}

TEST_P(PresetsDialogTest, ShowsWhatTheChosenOneSets) {
    Kept kept;
    kept.giveAnUnreadOne();
    ASSERT_TRUE(kept.presets.save({QStringLiteral("wide"), wide()}).has_value());
    const PresetsDialog one(kept.presets, {}, kept.folder.path(), shell->theme);
    auto* const list = child<QListWidget>(one, "presetsList");
    const auto* const detail = child<QPlainTextEdit>(one, "presetsDetail");
    const auto choose = [&](const char* name) {
        for (int row = 0; row < list->count(); ++row)
            if (list->item(row)->text().startsWith(QLatin1String(name))) list->setCurrentRow(row);
        return detail->toPlainText();
    };
    EXPECT_TRUE(choose("wide").contains(QStringLiteral("2048"))) << detail->toPlainText().toStdString();
    EXPECT_FALSE(choose("good").contains(QStringLiteral("2048")));
    EXPECT_TRUE(choose("odd").contains(QStringLiteral("fp2"))) << detail->toPlainText().toStdString();
}

TEST_P(PresetsDialogTest, NamesWhatCannotBeRead) {
    Kept kept;
    kept.giveAnUnreadOne();
    PresetsDialog one(kept.presets, {}, kept.folder.path(), shell->theme);
    one.show();
    EXPECT_TRUE(child<QLabel>(one, "presetsSays")->text().contains(QStringLiteral("odd")));
    auto* const listed = child<QListWidget>(one, "presetsList");
    EXPECT_TRUE(listed->item(1)->text().startsWith(QStringLiteral("odd")));
    EXPECT_TRUE(listed->item(1)->toolTip().contains(QStringLiteral("precision")));
    listed->setCurrentRow(1);
    EXPECT_FALSE(child<QPushButton>(one, "presetsApply")->isEnabled());
    EXPECT_FALSE(child<QPushButton>(one, "presetsRename")->isEnabled());
    QTest::mouseClick(child<QPushButton>(one, "presetsDelete"), Qt::LeftButton);
    EXPECT_TRUE(kept.presets.unread().isEmpty());
    QTest::mouseClick(child<QPushButton>(one, "presetsUndo"), Qt::LeftButton);
    EXPECT_EQ(kept.presets.unread().size(), 1);
}

TEST_P(PresetsDialogTest, SaysWhenNothingIsKept) {
    const Kept kept;
    Settings settings(kept.write("a file") + QStringLiteral("/window.ini"));
    Presets presets(settings);
    PresetsDialog one(presets, {}, kept.folder.path(), shell->theme);
    one.show();
    QTest::mouseClick(child<QPushButton>(one, "presetsSave"), Qt::LeftButton);
    one.findChild<QInputDialog*>()->accept();
    const QString said = child<QLabel>(one, "presetsSays")->text();
    EXPECT_TRUE(said.contains(QStringLiteral("window.ini"))) << said.toStdString();
    EXPECT_EQ(child<QListWidget>(one, "presetsList")->count(), builtInPresets().size());
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
    auto* button = child<QPushButton>(shell->window, "presetsButton");
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(dialog().isVisible());
    // Tab goes from it to what stands below it.
    QStringList next;
    for (QWidget* each = button->nextInFocusChain(); next.size() < 3; each = each->nextInFocusChain())
        if ((each->focusPolicy() & Qt::TabFocus) != 0 && each->isVisible()) next << each->objectName();
    EXPECT_EQ(next.join(u' ').toStdString(), "dimField dimSlider layersField");
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
