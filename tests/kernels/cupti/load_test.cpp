// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>

namespace plumb::cupti {
namespace {

using testing::Contains;
using testing::Not;

TEST(UsualCuptiFiles, HaveTheFolderOfTheMatrixLibraryThatIsLoaded) {
    const std::filesystem::path folder = std::filesystem::canonical(PLUMB_NAMED_LIKE_CUBLASLT).parent_path();
    const std::string beside = (folder / "libcupti.so.13").string();
    EXPECT_THAT(usualCuptiFiles(), Not(Contains(beside)));
    void* const library = dlopen(PLUMB_NAMED_LIKE_CUBLASLT, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const std::vector<std::string> files = usualCuptiFiles();
    dlclose(library);
    const auto found = std::find(files.begin(), files.end(), beside);
    ASSERT_NE(found, files.end());
    // Before the toolkit of the machine, which may be of another version than the library.
    EXPECT_NE(std::find(found, files.end(), "/usr/local/cuda/lib64/libcupti.so.13"), files.end());
}

TEST(UsualCuptiFiles, AreNeverRelativeToTheCurrentFolder) {
    for (const std::string& file : usualCuptiFiles())
        EXPECT_TRUE(file.find('/') == std::string::npos || file.front() == '/') << file;
}

}  // namespace
}  // namespace plumb::cupti
