// SPDX-License-Identifier: GPL-3.0-or-later
// When the banner has nothing to say any more.
#include "ui/shell/messages.h"

#include "tests/ui/shell/shell_fixture.h"

#include <QTest>

namespace plumb::ui {
namespace {

using test::Shell;
using test::waitFor;

struct Told : Shell {
    using Shell::Shell;
    /// An error of the step: what cannot be used in it.
    [[nodiscard]] bool refuse() {
        emit window.controller().failed(Error{ErrorCode::BadInput, "the step was refused", "change it"});
        return says("The step was refused");
    }
    [[nodiscard]] bool says(const char* text) const {
        return window.bannerText().contains(QString::fromLatin1(text));
    }
    void change(std::int64_t layers) {
        RunConfig config = window.workbench().config();
        config.layers = layers;
        EXPECT_TRUE(window.session().history.change(config, QStringLiteral("layers")).has_value());
    }
    [[nodiscard]] QString decoder() const { return QStringLiteral(PLUMB_TEST_DATA "/step/decoder.plumb"); }
};

TEST(Messages, OfTheStepGoWithOtherSettings) {
    Told told;
    told.change(7);
    ASSERT_TRUE(told.refuse());
    told.trigger("edit.undo");
    EXPECT_EQ(told.window.bannerText(), QString());
}

TEST(Messages, OfTheStepGoWhenTheEngineBeginsSomethingElse) {
    Told told;
    ASSERT_TRUE(told.ready());
    ASSERT_TRUE(told.refuse());
    told.window.controller().next().setSteps(12);
    told.trigger("run.run");
    EXPECT_FALSE(told.says("refused"));
    ASSERT_TRUE(waitFor([&] { return !told.window.controller().work().busy(); }));
    EXPECT_EQ(told.window.bannerText(), QString());
}

TEST(Messages, OfAnEngineThatWasNoneGoWithAnother) {
    Told told;
    told.window.engine().setCommand(QStringLiteral("/bin/cat"));
    told.window.engine().start();
    ASSERT_TRUE(waitFor([&] { return !told.window.bannerText().isEmpty(); }));
    told.window.engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
    told.window.engine().restart();
    EXPECT_EQ(told.window.bannerText(), QString());
    EXPECT_TRUE(waitFor([&] { return told.window.engine().state() == EngineClient::State::Ready; }));
    EXPECT_EQ(told.window.bannerText(), QString());
}

TEST(Messages, OfADocumentGoWithAnother) {
    Told told;
    ASSERT_TRUE(told.save(told.file("saved.plumb")));
    ASSERT_TRUE(told.says("Saved saved.plumb"));
    ASSERT_TRUE(told.open(told.decoder()));
    EXPECT_FALSE(told.says("Saved"));
    ASSERT_FALSE(told.save(QStringLiteral("/no/such/folder/x.plumb")));
    ASSERT_FALSE(told.window.bannerText().isEmpty());
    told.window.workbench().open(std::optional<Recording>());
    EXPECT_EQ(told.window.bannerText(), QString()) << "the session is in front again";
}

TEST(Messages, OfADocumentStayWhateverTheSettingsAre) {
    Told told;
    ASSERT_FALSE(told.save(QStringLiteral("/no/such/folder/x.plumb")));
    const QString text = told.window.bannerText();
    ASSERT_FALSE(text.isEmpty());
    told.change(7);
    EXPECT_EQ(told.window.bannerText(), text);
}

TEST(Messages, AProfileSpeaksOverANoticeFromBeforeIt) {
    Told told;
    ASSERT_TRUE(told.ready());
    for (int time = 0; time < 3; ++time) {
        told.window.messages().showNotice(QStringLiteral("something else"));
        told.trigger("run.profile");
        ASSERT_TRUE(waitFor([&] { return told.says("Profiled: a step takes"); }, 5000)) << time;
        EXPECT_FALSE(told.window.controller().work().busy());
    }
}

TEST(Messages, OfAProfileWaitForAnEngineThatIsStillAtWork) {
    Told told;
    ASSERT_TRUE(told.ready());
    told.trigger("run.profile");
    ASSERT_TRUE(waitFor([&] { return told.says("Profiled: a step takes"); }));
    told.window.controller().next().setSteps(0);
    told.trigger("run.run");  // until it is stopped
    ASSERT_TRUE(waitFor([&] { return told.window.controller().work().busy(); }));
    told.window.messages().showNotice(QStringLiteral("something else"));
    emit told.window.controller().work().results().profiled();
    QCoreApplication::processEvents();
    EXPECT_TRUE(told.says("something else"));
    told.trigger("run.stop");
    EXPECT_TRUE(waitFor([&] { return told.says("Profiled: a step takes"); }, 5000));
}

TEST(Messages, ASnapshotIsShownThoughSomethingElseIsInFront) {
    Told told;
    ASSERT_TRUE(told.save(told.file("saved.plumb")));
    for (const auto& [tab, file] : {std::pair("trace", PLUMB_TEST_DATA "/trace/cuda.json.gz"),
                                    {"allocator", PLUMB_TEST_DATA "/memory/step_protocol5.pickle"}}) {
        told.window.openFile(QString::fromLatin1(file));
        ASSERT_TRUE(waitFor([&] {
            return told.window.views().currentTab() == ViewStack::tabOf(QString::fromLatin1(tab));
        })) << tab;
        ASSERT_TRUE(told.open(told.file("saved.plumb")));
        EXPECT_EQ(told.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("overview"))) << tab;
    }
    for (const char* view : {"planner", "lab", "history"}) {
        told.window.views().goToTab(ViewStack::tabOf(QString::fromLatin1(view)));
        ASSERT_TRUE(told.open(told.file("saved.plumb")));
        EXPECT_EQ(told.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("overview"))) << view;
    }
    // Other views are of the step, or nobody asked to leave them.
    told.trigger("view.memory");
    ASSERT_TRUE(told.open(told.file("saved.plumb")));
    EXPECT_EQ(told.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("memory")));
}

}  // namespace
}  // namespace plumb::ui
