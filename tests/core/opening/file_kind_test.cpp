// SPDX-License-Identifier: Apache-2.0
#include "core/opening/file_kind.h"

#include "test_paths.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

std::optional<FileKind> kindOfFile(const std::string& name) {
    return fileKindAt(PLUMB_TEST_DATA "/" + name).value();
}

TEST(FileKind, IsToldByContent) {
    EXPECT_EQ(kindOfFile("trace/cuda.json.gz"), FileKind::Trace);
    EXPECT_EQ(kindOfFile("trace/array.json"), FileKind::Trace);
    EXPECT_EQ(kindOfFile("memory/step_protocol4.pickle"), FileKind::MemorySnapshot);
    EXPECT_EQ(fileKindOf(R"({"format": "plumbline.snapshot", "version": 1})"), FileKind::Snapshot);
    EXPECT_EQ(fileKindOf("no JSON"), std::nullopt);
    EXPECT_EQ(fileKindOf(""), std::nullopt);
}

TEST(FileKind, OfAFileThatIsNotThereIsAnError) {
    EXPECT_FALSE(fileKindAt("/nowhere/trace.json").has_value());
}

}  // namespace
}  // namespace plumb
