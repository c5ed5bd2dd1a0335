// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temporary_folder.h"
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/support.h"
#include "ui/planner/planner_view.h"
#include "ui/theme/theme.h"
#include "ui/workbench/config_history.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include <memory>
#include <string>

namespace plumb::ui::test {

/// A planner on a machine of round figures, with devices in a folder of its own.
class PlannerViewTest : public ::testing::Test {
protected:
    PlannerViewTest() {
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(folder.file("data")));
        EXPECT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
        library = std::make_unique<DeviceLibrary>();
    }
    ~PlannerViewTest() override {
        view.reset();
        qunsetenv("XDG_DATA_HOME");
    }
    /// Without saved inputs: on the lecture's question.
    PlannerView& make(const QByteArray& saved = {}, QSize size = {1300, 760}) {
        return openWith(saved.isEmpty() ? toBytes(PlannerInputs::ofCount(library->known())) : saved, size);
    }
    /// As who never planned anything sees it.
    PlannerView& makeFresh(QSize size = {1300, 760}) { return openWith({}, size); }
    PlannerView& openWith(const QByteArray& saved, QSize size) {
        view = std::make_unique<PlannerView>(ViewContext{workbench, theme}, *library, history.stack(), saved);
        view->resize(size);
        view->show();
        return *view;
    }
    PlannerModel& model() { return view->model(); }
    PlannerEdits& edits() { return view->edits(); }
    bool settled() {
        return waitFor([this] { return !model().explorer().progress(); });
    }
    void ask(const char* key) { edits().setQuestion(plannerQuestion(QString::fromLatin1(key))); }
    void type(const char* key, const char* text) {
        auto* field = child<QLineEdit>(*view, (std::string("planner-") + key + "Field").c_str());
        ASSERT_TRUE(field->isVisible()) << key;
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::fromUtf8(text));
        QTest::keyClick(field, Qt::Key_Return);
    }
    QString text(const char* label) { return child<QLabel>(*view, label)->text(); }
    QString note(const char* key) { return text((std::string("planner-") + key + "Note").c_str()); }
    double answered() { return model().results().answer ? model().results().answer->value.expected : -1; }
    void choose(const char* combo, int index) {
        auto* box = child<QComboBox>(*view, combo);
        box->setCurrentIndex(index);
        emit box->activated(index);
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    TemporaryFolder folder;
    Theme theme;
    Workbench workbench;
    ConfigHistory history{workbench};
    std::unique_ptr<DeviceLibrary> library;
    std::unique_ptr<PlannerView> view;
};

}  // namespace plumb::ui::test
