// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/support.h"
#include "ui/run/run_panel.h"
#include "ui/theme/theme.h"
#include "ui/workbench/config_history.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

namespace plumb::ui::test {

/// A run panel on screen with everything that it works on, and an engine that is not started.
struct Panel {
    Panel() { panel.show(); }
    FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    Theme theme;
    Workbench workbench;
    EngineClient engine;
    RunController controller{workbench, engine};
    ConfigHistory history{workbench};
    RunPanel panel{ViewContext{workbench, theme}, controller, history};

    void press(const char* button) { QTest::mouseClick(child<QPushButton>(panel, button), Qt::LeftButton); }
    void type(const char* field, const QString& text) {
        auto* box = child<QLineEdit>(panel, field);
        box->setFocus();
        box->selectAll();
        QTest::keyClick(box, Qt::Key_Delete);
        QTest::keyClicks(box, text);
        QTest::keyClick(box, Qt::Key_Return);
    }
    void choose(const char* box, const QString& text) {
        auto* combo = child<QComboBox>(panel, box);
        const int index = combo->findText(text);
        ASSERT_GE(index, 0) << text.toStdString();
        combo->setCurrentIndex(index);
        emit combo->activated(index);
        emit combo->textActivated(text);
    }
    /// A line of text that is shown when it has something to say; empty while it is hidden.
    [[nodiscard]] QString sentence(const char* name) {
        auto* label = child<QLabel>(panel, name);
        return label->isHidden() ? QString() : label->text();
    }
    [[nodiscard]] const RunConfig& config() const { return workbench.config(); }
};

}  // namespace plumb::ui::test
