// SPDX-License-Identifier: GPL-3.0-or-later
// When the banner has nothing to say any more.
#include "ui/shell/messages.h"

#include "tests/ui/shell/shell_fixture.h"

#include <QScrollBar>
#include <QTest>
#include <QTreeView>

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

TEST(Messages, StandBelowTheViewAndKeepTheRowInUseInSight) {
    Told told;
    told.window.resize(1280, 700);
    told.change(48);
    auto& table = *told.window.views()
                       .showView(QStringLiteral("operations"))
                       ->findChild<QTreeView*>(QStringLiteral("operationsTable"));
    table.expandAll();
    QCoreApplication::processEvents();
    table.verticalScrollBar()->setValue(100);
    const int line = table.visualRect(table.indexAt(QPoint())).height();
    const QModelIndex lowest = table.indexAt(table.viewport()->rect().bottomLeft() - QPoint(0, line));
    const QModelIndex highest = table.indexAt(QPoint(0, line));
    const auto placeOf = [&](const QModelIndex& row) {
        const QRect place = table.visualRect(row);
        return QRect(table.viewport()->mapToGlobal(place.topLeft()), place.size());
    };
    const auto isSeen = [&](const QModelIndex& row) {
        const QRect within = table.visualRect(row).adjusted(0, 1, 0, -1);  // Qt scrolls a line too little
        return (QRegion(within) - table.viewport()->visibleRegion()).isEmpty();
    };
    const auto* banner = test::child<QWidget>(told.window, "banner");
    const auto saySomething = [&](const QModelIndex& current) {
        table.setFocus();
        table.setCurrentIndex(current);
        table.verticalScrollBar()->setValue(100);
        told.window.messages().showNotice(QStringLiteral("Done"));
        QCoreApplication::processEvents();
        ASSERT_TRUE(banner->isVisible());
        const QRect views(table.window()->mapToGlobal(QPoint()), table.window()->size());
        const QRect place(banner->mapToGlobal(QPoint()), banner->size());
        EXPECT_TRUE(views.contains(place));
        for (const char* part : {"operationsViewPage", "viewArea", "statusStrip"}) {
            const auto* other = test::child<QWidget>(told.window, part);
            EXPECT_FALSE(place.intersects(QRect(other->mapToGlobal(QPoint()), other->size()))) << part;
        }
    };
    const QRect before = placeOf(highest);
    saySomething(highest);
    EXPECT_EQ(placeOf(highest), before) << "what could be clicked moves";
    EXPECT_FALSE(isSeen(lowest));
    QTest::mouseClick(test::child<QWidget>(told.window, "bannerClose"), Qt::LeftButton);
    QCoreApplication::processEvents();
    ASSERT_FALSE(banner->isVisible());
    EXPECT_EQ(placeOf(highest), before);
    EXPECT_TRUE(isSeen(lowest));
    saySomething(lowest);
    EXPECT_TRUE(isSeen(lowest));
}

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
