// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_report/kernel_report.h"

#include "core/kernel_report/metric_number.h"

#include <gtest/gtest.h>

#include <string>

namespace plumb {
namespace {

const std::string kRawHeader =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",)"
    R"("gpu__time_duration.sum","dram__bytes_read.sum","dram__bytes_write.sum","lts__t_sectors_srcunit_tex.sum",)"
    R"("l1tex__t_bytes.sum","sm__sass_thread_inst_executed_op_fadd_pred_on.sum",)"
    R"("sm__sass_thread_inst_executed_op_fmul_pred_on.sum","sm__sass_thread_inst_executed_op_ffma_pred_on.sum",)"
    R"("sm__ops_path_tensor_src_bf16_dst_fp32.sum","sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32.sum")";
const std::string kLaunch =
    R"x("7","python","host","gemm(float *, int)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0",)x";
const std::string kUnits =
    R"("","","","","","","","","","","","usecond","Mbyte","Kbyte","sector","byte","inst","inst","inst","",""
)";

std::string rawPage(const std::string& values) {
    return "==PROF== Connected to process 7\nhello from the program\n" + kRawHeader + "\n" + kUnits +
           "\"0\"," + kLaunch + values + "\n==PROF== Disconnected\n";
}

TEST(KernelReport, ReadsTheRawPageInItsUnits) {
    const auto report = parseKernelReport(
        rawPage(R"("12.5","3.20","800","1,000,000","64,000,000","100","200","1,000","4,096","4,096")"),
        "r.csv");
    ASSERT_TRUE(report.has_value()) << report.error().text();
    ASSERT_EQ(report->kernels.size(), 1U);
    const ReportedKernel& kernel = report->kernels.front();
    EXPECT_EQ(kernel.name, "gemm(float *, int)");
    EXPECT_DOUBLE_EQ(*kernel.seconds, 12.5e-6);
    EXPECT_DOUBLE_EQ(*kernel.bytes[0], 4.0e6);
    EXPECT_DOUBLE_EQ(*kernel.bytes[1], 32e6);
    EXPECT_DOUBLE_EQ(*kernel.bytes[2], 64e6);
    EXPECT_DOUBLE_EQ(*kernel.coreFlops, 100 + 200 + 2 * 1000);
    EXPECT_DOUBLE_EQ(*kernel.tensorFlops, 4096) << "a part is not added to its whole";
    EXPECT_DOUBLE_EQ(*kernel.intensity(ReportLevel::Dram), 6396 / 4e6);
    EXPECT_DOUBLE_EQ(*kernel.rate(), 6396 / 12.5e-6);
    EXPECT_DOUBLE_EQ(*kernel.bandwidth(ReportLevel::L2), 32e6 / 12.5e-6);
    EXPECT_TRUE(kernel.missing.empty());
    EXPECT_EQ(report->lostRows, 0);
    EXPECT_EQ(report->lostValues, 0);
}

TEST(KernelReport, LaunchesOfOneKernelAreOnePointOfTheirSums) {
    const std::string row = R"("10","4","0","1,000,000","64,000,000","0","0","1,000","0","0")";
    const std::string longer = R"("30","4","0","1,000,000","64,000,000","0","0","5,000","0","0")";
    const std::string timeless = R"("","4","0","1","64","0","0","1,000","0","0")";
    std::string text = rawPage(row);
    for (const std::string& values : {longer, timeless}) text += "\"1\"," + kLaunch + values + "\n";
    const auto report = parseKernelReport(text, "r.csv");
    ASSERT_TRUE(report.has_value()) << report.error().text();
    const KernelPoints all = kernelPoints(*report, ReportLevel::Dram);
    ASSERT_EQ(all.points.size(), 1U);
    EXPECT_EQ(all.withoutPlace, 1U) << "a launch without time";
    const KernelPoint& point = all.points.front();
    EXPECT_EQ(point.launches, 2U);
    EXPECT_DOUBLE_EQ(point.rate(), (2 * 1000 + 2 * 5000) / 40e-6);
    EXPECT_DOUBLE_EQ(point.intensity(), 12'000 / 8e6);
    EXPECT_DOUBLE_EQ(kernelPoints(*report, ReportLevel::L1).points.front().intensity(), 12'000 / 128e6);
}

TEST(KernelReport, ReadsADecimalComma) {
    const auto point = parseKernelReport(
        rawPage(R"("12.5","3.20","800","1,000,000","64,000,000","100","200","1,000","4,096","4,096")"),
        "r.csv");
    const auto comma = parseKernelReport(
        rawPage(R"("12,5","3,20","800","1.000.000","64.000.000","100","200","1.000","4.096","4.096")"),
        "r.csv");
    ASSERT_TRUE(point.has_value() && comma.has_value());
    EXPECT_TRUE(comma->hasDecimalComma);
    EXPECT_EQ(point->kernels[0].bytes, comma->kernels[0].bytes);
    EXPECT_EQ(point->kernels[0].flops(), comma->kernels[0].flops());
    EXPECT_EQ(point->kernels[0].seconds, comma->kernels[0].seconds);
}

TEST(KernelReport, RefusesDecimalSignsThatContradict) {
    const auto report =
        parseKernelReport(rawPage(R"("12,5","3.20","800","1","64","100","200","1","4","4")"), "r.csv");
    ASSERT_FALSE(report.has_value());
    EXPECT_NE(report.error().text().find("decimal comma"), std::string::npos);
}

TEST(KernelReport, SaysWhatIsMissingInTheDetailsPage) {
    const std::string head =
        R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description"
)";
    const std::string start = "\"0\"," + kLaunch;
    const auto report = parseKernelReport(
        head + start + R"("GPU Speed Of Light Throughput","Duration","usecond","10.00","","",""
)" + start + R"("GPU Speed Of Light Throughput","Memory Throughput","%","50.00","","",""
)" + start + R"("Memory Workload Analysis","Memory Throughput","Gbyte/second","2.00","","",""
)" + start + R"("SpeedOfLight","","","","Bottleneck","WRN","The kernel, ""gemm"",
spans two lines."
)",
        "d.csv");
    ASSERT_TRUE(report.has_value()) << report.error().text();
    ASSERT_EQ(report->kernels.size(), 1U);
    const ReportedKernel& kernel = report->kernels.front();
    EXPECT_FALSE(report->isRawPage);
    EXPECT_DOUBLE_EQ(*kernel.seconds, 10e-6);
    EXPECT_DOUBLE_EQ(*kernel.bytes[0], 20000);
    EXPECT_FALSE(kernel.flops().has_value());
    EXPECT_FALSE(kernel.intensity(ReportLevel::Dram).has_value());
    EXPECT_EQ(kernel.missing.size(), 4U);
    EXPECT_EQ(report->lostRows, 0);
}

TEST(KernelReport, ReadsRatesPerCycleOfTheRooflineSections) {
    const auto report = parseKernelReport(
        R"("ID","Process ID","Kernel Name","gpu__time_duration.sum","smsp__cycles_elapsed.avg.per_second","smsp__sass_thread_inst_executed_op_dadd_pred_on.sum.per_cycle_elapsed","smsp__sass_thread_inst_executed_op_dmul_pred_on.sum.per_cycle_elapsed","smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed"
"","","","ns","Ghz","inst/cycle","inst/cycle","inst/cycle"
"0","7","axpy","1000","1.50","2.0","3.0","5.0"
)",
        "r.csv");
    ASSERT_TRUE(report.has_value()) << report.error().text();
    EXPECT_DOUBLE_EQ(*report->kernels[0].coreFlops, (2 + 3 + 10) * 1500.0);
}

TEST(KernelReport, CountsWhatItCannotUse) {
    const auto report = parseKernelReport(rawPage(R"("nan","-3","inf","x","1e999","1","1","1","1","1")") +
                                              "\"1\",\"short\"\nno row at all\n",
                                          "r.csv");
    ASSERT_TRUE(report.has_value()) << report.error().text();
    EXPECT_EQ(report->kernels.size(), 1U);
    EXPECT_EQ(report->lostValues, 5);
    EXPECT_EQ(report->lostRows, 2);
    EXPECT_EQ(report->losses().size(), 2U);
    EXPECT_FALSE(report->kernels[0].seconds.has_value());
}

TEST(KernelReport, RefusesOtherTexts) {
    for (const std::string text : {"", "==PROF== nothing", "a,b\n1,2\n", "\"ID\",\"Process ID\",\"x\"\n"}) {
        const auto report = parseKernelReport(text, "r.csv");
        ASSERT_FALSE(report.has_value());
        EXPECT_EQ(report.error().code, ErrorCode::BadInput);
    }
}

TEST(MetricNumber, GroupsAndFractionsAreToldApart) {
    EXPECT_EQ(decimalSignOf("1,234"), DecimalSign::Unknown);
    EXPECT_EQ(decimalSignOf("0,234"), DecimalSign::Comma);
    EXPECT_EQ(decimalSignOf("1234,567"), DecimalSign::Comma);
    EXPECT_EQ(decimalSignOf("1,234,567"), DecimalSign::Point);
    EXPECT_EQ(decimalSignOf("1.234.567,8"), DecimalSign::Comma);
    EXPECT_EQ(metricNumber("1,234,567.5", DecimalSign::Point), 1234567.5);
    EXPECT_EQ(metricNumber("1.234.567,5", DecimalSign::Comma), 1234567.5);
    EXPECT_EQ(metricNumber("1\xC2\xA0"
                           "234,5",
                           DecimalSign::Comma),
              1234.5);
    EXPECT_EQ(metricNumber("-2.5e3", DecimalSign::Point), -2500);
    EXPECT_EQ(metricNumber("12,34", DecimalSign::Point), std::nullopt) << "no group of three";
    for (const char* bad : {"", "-", ".", "nan", "inf", "1.2.3", "0x10", "1e", "1,,000", "(128, 1, 1)"})
        EXPECT_EQ(metricNumber(bad, DecimalSign::Point), std::nullopt) << bad;
}

TEST(MetricNumber, UnitsHaveAScale) {
    std::string_view base;
    EXPECT_EQ(unitScale("Kbyte", base), 1e3);
    EXPECT_EQ(unitScale("us", base), 1e-6);
    EXPECT_EQ(unitScale("msecond", base), 1e-3);
    EXPECT_EQ(unitScale("Gbyte/second", base), 1e9);
    EXPECT_EQ(base, "byte/second");
    EXPECT_DOUBLE_EQ(unitScale("cycle/nsecond", base).value_or(0), 1e9);
    EXPECT_EQ(base, "hz");
    EXPECT_EQ(unitScale("%", base), std::nullopt);
}

}  // namespace
}  // namespace plumb
