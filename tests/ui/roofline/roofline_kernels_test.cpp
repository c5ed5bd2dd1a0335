// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of Nsight Compute beside a step in the roofline.
#include "core/io/file.h"
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/legend_row.h"
#include "ui/roofline/roofline_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace plumb::ui::test {
namespace {

const std::string kReport =
    R"x("ID","Process ID","Kernel Name","Device","gpu__time_duration.sum","dram__bytes_read.sum",)x"
    R"x("dram__bytes_write.sum","lts__t_sectors_srcunit_tex.sum","sm__ops_path_tensor_src_bf16_dst_fp32.sum"
"","","","","us","Mbyte","Mbyte","sector",""
"0","1","void gemm<128, 64>(float *)","0","100","40","10","4,000,000","20,000,000,000"
"1","1","void gemm<128, 64>(float *)","0","100","40","10","4,000,000","20,000,000,000"
"2","1","copy(float *)","0","50","100","100","6,000,000","0"
)x";

struct Kernels {
    Kernels() {
        EXPECT_TRUE(writeFileAtomically(path().toStdString(), kReport).has_value());
        EXPECT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
        view.setKernels(file);
        view.resize(1100, 680);
        view.show();
        settle();
    }
    [[nodiscard]] QString path() const { return folder.filePath(QStringLiteral("ncu.csv")); }
    void open() {
        file.open(path());
        EXPECT_TRUE(waitFor([&] { return file.isOpen(); }));
        settle();
    }
    static void settle() { QCoreApplication::processEvents(); }
    [[nodiscard]] bool hasLegend() const {
        return std::ranges::any_of(view.findChild<LegendRow*>()->entries(), [](const LegendEntry& entry) {
            return entry.id == QStringLiteral("kernels");
        });
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    QTemporaryDir folder;
    Theme theme;
    Workbench workbench;
    OpenedAs<OpenedKernels> file{readOpenedKernels};
    RooflineView view{{workbench, theme}, ViewSize::Full};
};

TEST(RooflineKernels, AReportStandsBesideTheStepWithALegendOfItsOwn) {
    Kernels bench;
    EXPECT_FALSE(bench.hasLegend());
    const std::size_t points = bench.view.state().points.size();
    bench.open();
    EXPECT_TRUE(bench.hasLegend());
    EXPECT_EQ(bench.view.state().points.size(), points) << "those of the step stay";
    ASSERT_EQ(bench.view.kernels().points.points.size(), 1U);
    const KernelPoint& gemm = bench.view.kernels().points.points.front();
    EXPECT_EQ(kernelLabel(gemm), QStringLiteral("gemm ×2"));
    EXPECT_DOUBLE_EQ(gemm.intensity(), 20e9 / 50e6);
    EXPECT_DOUBLE_EQ(gemm.rate(), 20e9 / 100e-6);
    EXPECT_EQ(bench.view.kernels().points.withoutPlace, 1U) << "no FLOPs, no place";
    EXPECT_LE(bench.view.state().minIntensity, gemm.intensity());
    EXPECT_GE(bench.view.state().maxIntensity, gemm.intensity());
    EXPECT_GE(bench.view.state().maxRate, gemm.rate());
    EXPECT_TRUE(
        bench.view.state().subtitle.contains(QStringLiteral("kernels of ncu.csv by the bytes at DRAM")))
        << bench.view.state().subtitle.toStdString();
    auto& chart = *child<ChartPanel>(bench.view, "rooflineChart");
    const QPointF at = chart.toPixel({gemm.intensity(), gemm.rate()});
    EXPECT_TRUE(chart.markAt(at, 1).has_value());
    const HoverCardContent card = kernelCard(bench.view.state(), bench.view.kernels(), gemm);
    EXPECT_EQ(card.title, QStringLiteral("gemm ×2"));
    EXPECT_EQ(card.rows.front().values.front(), QStringLiteral("at least 200 TFLOP/s"))
        << "the report counts no FLOPs of CUDA cores";
    emit chart.hovered({}, at);
    emit chart.clicked({}, at);  // a kernel is no op of the step
}

TEST(RooflineKernels, GiveWayToAPhaseThatIsShownAloneAndTheStepToThem) {
    Kernels bench;
    bench.open();
    const auto press = [&](const char* id) {
        QTest::keyClick(child<QAbstractButton>(bench.view, (std::string("legend.") + id).c_str()),
                        Qt::Key_Return);
    };
    const auto isOn = [&](const char* id) {
        for (const LegendEntry& entry : bench.view.findChild<LegendRow*>()->entries())
            if (entry.id == QLatin1String(id)) return entry.checked;
        ADD_FAILURE() << id;
        return false;
    };
    press("backward");
    EXPECT_TRUE(isOn("backward"));
    EXPECT_FALSE(isOn("forward"));
    EXPECT_FALSE(isOn("kernels"));
    press("backward");
    EXPECT_TRUE(isOn("kernels")) << "all again";
    press("kernels");
    EXPECT_TRUE(isOn("kernels"));
    EXPECT_FALSE(isOn("backward"));
    EXPECT_TRUE(isOn("measuredRoofs")) << "roofs are no points";
}

TEST(RooflineKernels, TheLevelPlacesThemThoughTheStepHasNoCounters) {
    Kernels bench;
    auto& level = *child<SegmentedControl>(bench.view, "rooflineLevel");
    EXPECT_FALSE(level.isEnabled());
    bench.open();
    EXPECT_TRUE(level.isEnabled());
    QTest::mouseClick(child<QPushButton>(bench.view, "rooflineLevel1"), Qt::LeftButton);
    Kernels::settle();
    ASSERT_FALSE(bench.view.kernels().points.points.empty());
    EXPECT_DOUBLE_EQ(bench.view.kernels().points.points.front().intensity(), 20e9 / (4e6 * 32));
    QTest::mouseClick(child<QPushButton>(bench.view, "rooflineLevel2"), Qt::LeftButton);
    Kernels::settle();
    EXPECT_TRUE(bench.view.kernels().points.points.empty());
    EXPECT_TRUE(bench.view.state().subtitle.contains(QStringLiteral("no kernel of ncu.csv")))
        << bench.view.state().subtitle.toStdString();
    QTest::mouseClick(child<QPushButton>(bench.view, "rooflineCloseKernels"), Qt::LeftButton);
    Kernels::settle();
    EXPECT_FALSE(bench.file.isOpen());
    EXPECT_FALSE(bench.hasLegend());
    EXPECT_FALSE(level.isEnabled());
    EXPECT_TRUE(bench.view.kernels().isEmpty());
}

TEST(RooflineKernels, AReportWithoutCountersSaysWhichAndOffersNoCalibration) {
    Kernels bench;
    ASSERT_TRUE(bench.workbench.show({Machine{.name = "Unknown"}, cpuTraits()}).has_value());
    Kernels::settle();
    auto& chart = *child<ChartPanel>(bench.view, "rooflineChart");
    auto& calibrate = *child<QPushButton>(bench.view, "rooflineCalibrate");
    ASSERT_TRUE(calibrate.isVisible()) << chart.emptyText().toStdString();
    ASSERT_TRUE(
        writeFileAtomically(
            bench.path().toStdString(),
            R"x("ID","Process ID","Kernel Name","Device","gpu__time_duration.sum","dram__bytes_read.sum"
"","","","","us","Mbyte"
"0","1","gemm(float *)","0","100","40"
)x")
            .has_value());
    bench.open();
    EXPECT_FALSE(calibrate.isVisible());
    const QString said = chart.emptyText();
    EXPECT_TRUE(said.startsWith(QStringLiteral("No kernel of ncu.csv has time, FLOPs and bytes at DRAM")))
        << said.toStdString();
    for (const char* counter : {"sm__ops_path_tensor", "dram__bytes_write.sum", "sm__sass_thread_inst"})
        EXPECT_TRUE(said.contains(QLatin1String(counter))) << counter;
    EXPECT_FALSE(said.contains(QStringLiteral("lts__t_sectors"))) << "another level's";
    EXPECT_FALSE(said.contains(QStringLiteral("gpu__time"))) << "that was counted";
    QTest::mouseClick(child<QPushButton>(bench.view, "rooflineCloseKernels"), Qt::LeftButton);
    Kernels::settle();
    EXPECT_TRUE(calibrate.isVisible());
}

TEST(RooflineKernels, AreDrawnInBothThemes) {
    inBothThemes([](Theme& theme) {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("ncu.csv"));
        ASSERT_TRUE(writeFileAtomically(path.toStdString(), kReport).has_value());
        Workbench workbench;
        ASSERT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
        OpenedAs<OpenedKernels> file{readOpenedKernels};
        RooflineView view({workbench, theme}, ViewSize::Full);
        view.setKernels(file);
        file.open(path);
        ASSERT_TRUE(waitFor([&] { return file.isOpen(); }));
        view.resize(1100, 680);
        view.show();
        Kernels::settle();
        EXPECT_GT(coloursIn(picture(view, QStringLiteral("roofline_kernels_%1").arg(themeName(theme)))), 8);
    });
}

}  // namespace
}  // namespace plumb::ui::test
