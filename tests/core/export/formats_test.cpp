// SPDX-License-Identifier: Apache-2.0
#include "core/export/formats.h"

#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace plumb {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ExportFormats, HaveIdsNamesAndFileNamesOfTheirOwn) {
    std::set<std::string> ids, names, files;
    for (const ExportFormat& format : exportFormats()) {
        EXPECT_TRUE(ids.insert(format.id).second) << format.id;
        EXPECT_TRUE(names.insert(format.name).second) << format.name;
        EXPECT_TRUE(files.insert(format.fileName).second) << format.fileName;
        EXPECT_EQ(findExportFormat(format.id), &format);
    }
    EXPECT_EQ(findExportFormat("docx"), nullptr);
    EXPECT_THAT(exportFormatList(), HasSubstr("html, chrome-trace, "));
}

TEST(ExportFormats, EachWritesASnapshotThatHasEverything) {
    const ExportedStep step = exportedStep(sampleSnapshot());
    for (const ExportFormat& format : exportFormats()) {
        const auto content = exported(step, format);
        ASSERT_TRUE(content.has_value()) << format.id << ": " << content.error().text();
        EXPECT_GT(content->size(), 20U) << format.id;
        if (format.ending() == "json") {
            EXPECT_TRUE(nlohmann::json::accept(*content)) << format.id;
        }
    }
}

TEST(ExportFormats, EachSaysInASentenceWhyAStepHasNoSuchData) {
    const ExportedStep nothing;
    for (const ExportFormat& format : exportFormats()) {
        if (format.id == "html") continue;
        const auto refused = exported(nothing, format);
        ASSERT_FALSE(refused.has_value()) << format.id;
        EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
        EXPECT_THAT(refused.error().message, Not(HasSubstr(".")));
    }
    EXPECT_TRUE(exported(nothing, *findExportFormat("html")).has_value()) << "a report says what is missing";
}

TEST(ExportFormats, ThoseOfATrainingHoldTheLossesOfARecording) {
    const StepFile file =
        parseStepFile(test::referenceFile("step/perceptron.plumb").dump(), "a.plumb").value();
    const ExportedStep step = exportedStep(file, {});
    const std::string csv = exported(step, *findExportFormat("training-csv")).value();
    EXPECT_THAT(csv, testing::StartsWith("step,pass,loss,seconds,"));
    EXPECT_EQ(std::ranges::count(csv, '\n'), 31);
    EXPECT_THAT(csv, HasSubstr("\r\n2,S,"));
    for (const char* id : {"training-parquet", "training-npy", "tensorboard"})
        EXPECT_TRUE(exported(step, *findExportFormat(id)).has_value()) << id;
    EXPECT_THAT(exported(step, *findExportFormat("html")).value(), HasSubstr("30 steps done, recorded"));
}

TEST(ExportFormats, ARecordingWithoutLossesSaysWhy) {
    const StepFile file = parseStepFile(test::referenceFile("step/decoder.plumb").dump(), "a.plumb").value();
    const auto refused = exported(exportedStep(file, {}), *findExportFormat("tensorboard"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message + '.', file.losses.whyNone())
        << "its own words, which have a translation";
}

TEST(ExportFormats, HostileNamesStayNames) {
    Snapshot snapshot = sampleSnapshot();
    const std::string hostile = "</script><img src=x onerror=alert(1)>\"'&\x1b[31m\xff\xc3\xa4\n";
    for (Reading* reading : {&*snapshot.predicted, &*snapshot.measured})
        for (OpReading& op : reading->ops) op.name = op.kind = hostile;
    snapshot.program = snapshot.target.machine.name = snapshot.target.machine.source = hostile;
    snapshot.training->outcome = hostile;
    const ExportedStep step = exportedStep(snapshot);
    for (const ExportFormat& format : exportFormats()) {
        const auto content = exported(step, format);
        ASSERT_TRUE(content.has_value()) << format.id;
        if (format.ending() == "json") {
            EXPECT_TRUE(nlohmann::json::accept(*content)) << format.id;
        }
        if (format.id == "html") {
            EXPECT_THAT(*content, Not(HasSubstr("<img")));
            EXPECT_THAT(*content, Not(HasSubstr("\x1b")));
            EXPECT_THAT(*content, HasSubstr("&lt;/script&gt;&lt;img"));
        }
    }
}

}  // namespace
}  // namespace plumb
