// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/modules/modules_view.h"

#include "core/base/words.h"
#include "core/machine/hardware_database.h"
#include "core/recorded/step_file.h"
#include "tests/support/reference.h"
#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/modules/modules_table.h"
#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>

#include <gtest/gtest.h>

#include <string>

namespace plumb::ui::test {
namespace {

Scene decoderScene(bool isMeasured) {
    const Target target{HardwareDatabase::builtIn().find("H200 SXM").value(), {}};
    const StepFile file =
        parseStepFile(plumb::test::referenceFile("step/decoder.plumb").dump(), "it").value();
    const PlannedStep planned = plannedOn(file, target);
    Scene scene{planned, {}};
    if (isMeasured) scene.measured.emplace(planned, readingOf(file, target.machine));
    return scene;
}

QModelIndex find(const ModulesModel& model, const QString& path, const QModelIndex& below = {}) {
    for (int row = 0; row < model.rowCount(below); ++row) {
        const QModelIndex at = model.index(row, 0, below);
        if (at.data(ModulesModel::PathRole).toString() == path) return at;
        if (const QModelIndex found = find(model, path, at); found.isValid()) return found;
    }
    return {};
}

QString cell(const QModelIndex& row, ModuleColumn column) {
    return row.siblingAtColumn(static_cast<int>(column)).data().toString();
}

TEST(Modules, AreATreeWithFigures) {
    ModulesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setScene(decoderScene(true));
    const QModelIndex block = find(model, QStringLiteral("blocks.0"));
    ASSERT_TRUE(block.isValid());
    EXPECT_EQ(cell(block, ModuleColumn::Name), QStringLiteral("0"));
    EXPECT_EQ(block.parent().data().toString(), QStringLiteral("blocks"));
    const QModelIndex query = find(model, QStringLiteral("blocks.0.attention.q"));
    EXPECT_EQ(cell(query, ModuleColumn::Parameters), QStringLiteral("1.02 kB"));
    EXPECT_NE(cell(query, ModuleColumn::Forward), QStringLiteral("–"));
    double shares = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        shares += model.index(row, static_cast<int>(ModuleColumn::Share))
                      .data(ModulesModel::RawValueRole)
                      .toDouble();
    EXPECT_NEAR(shares, 1, 1e-9) << "the rows at the top are the whole step";
}

TEST(Modules, OfOurModelAreNamedInTheLanguageOfTheWindowAndThoseOfAProgramAreNot) {
    struct Words {
        Words() { setWordsLanguage("zh_CN"); }
        ~Words() { setWordsLanguage({}); }
    } words;
    ModulesModel model;
    model.setScene(*testWorkbench(testConfig(2))->scene());
    const QModelIndex layer = find(model, QStringLiteral("layer 1"));
    ASSERT_TRUE(layer.isValid());
    EXPECT_EQ(cell(layer, ModuleColumn::Name), QStringLiteral("第 1 层"));
    EXPECT_EQ(layer.data(Qt::ToolTipRole).toString(), QStringLiteral("第 1 层"));
    EXPECT_EQ(layer.data(Qt::AccessibleTextRole).toString(), QStringLiteral("第 1 层"));
    EXPECT_EQ(cell(find(model, QStringLiteral("head")), ModuleColumn::Name), QStringLiteral("输出头"));
    EXPECT_TRUE(modulesToCsv({layer}).contains(QStringLiteral("layer 1,"))) << "as a program has it";
    model.setScene(decoderScene(false));
    EXPECT_EQ(cell(find(model, QStringLiteral("blocks")), ModuleColumn::Name), QStringLiteral("blocks"));
}

TEST(Modules, WithoutAMeasurementShareThePredictedTime) {
    ModulesModel model;
    model.setScene(decoderScene(false));
    const QModelIndex query = find(model, QStringLiteral("blocks.0.attention.q"));
    EXPECT_EQ(cell(query, ModuleColumn::Forward), QStringLiteral("–"));
    EXPECT_EQ(cell(query, ModuleColumn::Measured), QStringLiteral("–"));
    EXPECT_NE(cell(query, ModuleColumn::Predicted), QStringLiteral("–"));
    EXPECT_NE(cell(query, ModuleColumn::Share), QStringLiteral("–"));
}

TEST(Modules, KeepTheirRowsWhileTheModelIsTheSame) {
    ModulesModel model;
    model.setScene(decoderScene(false));
    int resets = 0, changes = 0;
    QObject::connect(&model, &QAbstractItemModel::modelReset, [&] { ++resets; });
    QObject::connect(&model, &QAbstractItemModel::dataChanged, [&] { ++changes; });
    model.setScene(decoderScene(true));
    EXPECT_EQ(resets, 0);
    EXPECT_GT(changes, 0);
}

TEST(Modules, SayWhereTheirMeasuredTimesLie) {
    ModulesModel model;
    Scene scene = decoderScene(true);
    const auto tip = [&](ModuleColumn column) {
        return find(model, QStringLiteral("blocks.0.attention.q"))
            .siblingAtColumn(static_cast<int>(column))
            .data(Qt::ToolTipRole)
            .toString();
    };
    Reading reading = *scene.measured->reading;
    for (OpReading& op : reading.ops) op.spread.reset();
    scene.measured.emplace(scene.whatIf, std::make_shared<const Reading>(reading));
    model.setScene(scene);
    EXPECT_EQ(tip(ModuleColumn::Forward), moduleColumnHelp(ModuleColumn::Forward)) << "it is not known";
    for (OpReading& op : reading.ops) op.spread = Spread{*op.seconds * 0.9, *op.seconds * 1.2};
    scene.measured.emplace(scene.whatIf, std::make_shared<const Reading>(reading));
    model.setScene(scene);
    for (const ModuleColumn column : {ModuleColumn::Forward, ModuleColumn::Measured})
        EXPECT_TRUE(tip(column).contains(QStringLiteral("10 % to 90 %"))) << tip(column).toStdString();
}

TEST(Modules, SayHowManyColumnsHaveNoRoom) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    const auto workbench = testWorkbench(testConfig(3));
    ModulesView view({*workbench, theme}, ViewSize::Full);
    auto* const header = child<QTreeView>(view, "modulesTable")->header();
    const auto sign = [&] { return header->findChild<QLabel*>(QStringLiteral("goneColumns")); };
    view.resize(3000, 500);
    view.show();
    QCoreApplication::processEvents();
    EXPECT_EQ(header->hiddenSectionCount(), 0);
    EXPECT_TRUE(sign() == nullptr || sign()->isHidden());
    view.resize(scaled(620), 500);
    QCoreApplication::processEvents();
    ASSERT_GT(header->hiddenSectionCount(), 0);
    ASSERT_TRUE(sign() != nullptr && sign()->isVisible());
    EXPECT_EQ(sign()->text(), QStringLiteral("+%1").arg(header->hiddenSectionCount()));
    EXPECT_TRUE(sign()->toolTip().contains(moduleColumnTitle(ModuleColumn::Optimizer)));
    EXPECT_LE(header->length(), sign()->x()) << "it stands on no title";
    view.resize(3000, 500);
    QCoreApplication::processEvents();
    EXPECT_FALSE(sign()->isVisible());
}

TEST(Modules, OfARangeOfAnotherViewAreItsOwnAndOneClickHasAllAgain) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    const auto workbench = testWorkbench(testConfig(3));
    ModulesView view({*workbench, theme}, ViewSize::Full);
    ModulesView compact({*workbench, theme}, ViewSize::Compact);
    view.show();
    const Step& step = *workbench->scene()->whatIf.step;
    const int op = 1;
    ASSERT_FALSE(step.opModule(op).empty());
    auto* clear = child<QPushButton>(view, "modulesClearRange");
    EXPECT_FALSE(clear->isVisible());
    const int rows = view.model().rowCount();
    workbench->selection().range().select(OpSpan{op, op});
    view.refresh();
    EXPECT_EQ(view.model().rowCount(), 1);
    const QModelIndex row = view.model().index(0, 0);
    EXPECT_EQ(row.data(ModulesModel::PathRole).toString().toStdString(), step.opModule(op));
    EXPECT_LT(row.siblingAtColumn(static_cast<int>(ModuleColumn::Share))
                  .data(ModulesModel::RawValueRole)
                  .toDouble(),
              1)
        << "shares are of the step";
    const QString all = QString::number(step.opCount());
    EXPECT_EQ(child<Card>(view, "modulesCard")->subtitle().section(QStringLiteral(" · "), 0, 0),
              QStringLiteral("1 of %1 operations").arg(all));
    compact.refresh();
    EXPECT_EQ(compact.model().rowCount(), rows) << "the card of the Overview has the step";
    clear->click();
    view.refresh();
    EXPECT_EQ(view.model().rowCount(), rows);
    EXPECT_FALSE(clear->isVisible());
}

TEST(Modules, AreCopiedAsCsv) {
    ModulesModel model;
    model.setScene(decoderScene(true));
    const QModelIndex query = find(model, QStringLiteral("blocks.0.attention.q"));
    const QStringList lines = modulesToCsv({query}).split(QStringLiteral("\r\n"));
    ASSERT_EQ(lines.size(), 3);
    EXPECT_TRUE(lines[0].startsWith(QStringLiteral("module,parameter_bytes,flops,")))
        << lines[0].toStdString();
    EXPECT_TRUE(lines[1].startsWith(QStringLiteral("blocks.0.attention.q,1024,"))) << lines[1].toStdString();
    EXPECT_EQ(lines[1].count(u','), kModuleColumns - 1);
}

}  // namespace
}  // namespace plumb::ui::test
