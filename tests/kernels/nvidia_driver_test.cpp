// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nvidia_driver.h"

#include <gtest/gtest.h>

namespace plumb::common {
namespace {

constexpr int kRuntime = 13000;

DriverProbe working() {
    DriverProbe probe;
    probe.found = true;
    probe.version = 13000;
    probe.devices = 1;
    return probe;
}

std::string verdict(const DriverProbe& probe) {
    const auto judged = judgeDriver(probe, kRuntime);
    if (judged.has_value()) return "fine";
    EXPECT_EQ(judged.error().code, ErrorCode::Unavailable);
    EXPECT_FALSE(judged.error().hint.empty());
    return judged.error().text();
}

TEST(NvidiaDriver, EveryCauseHasASentenceOfItsOwn) {
    EXPECT_EQ(verdict(working()), "fine");
    DriverProbe probe;
    probe.loadError = "libcuda.so.1 not found";
    EXPECT_EQ(verdict(probe),
              "no NVIDIA driver is installed (libcuda.so.1 not found): install the driver of the "
              "GPU, or use the CPU");
    probe = working();
    probe.version = 12080;
    EXPECT_EQ(verdict(probe),
              "the NVIDIA driver is too old (it serves CUDA 12.8, this program needs 13.0): update "
              "the driver, or use the CPU");
    probe = working();
    probe.initResult = 34;
    EXPECT_NE(verdict(probe).find("stub"), std::string::npos);
    probe.initResult = 803;
    probe.initError = "system driver mismatch";
    EXPECT_NE(verdict(probe).find("restart the machine"), std::string::npos);
    probe.initResult = 802;
    probe.initError = "system not yet initialized";
    EXPECT_NE(verdict(probe).find("(system not yet initialized): start the service nvidia-fabricmanager"),
              std::string::npos);
    probe.initResult = 999;
    probe.initError = "unknown error";
    EXPECT_NE(verdict(probe).find("does not start (unknown error)"), std::string::npos);
    probe.initResult = 100;
    EXPECT_NE(verdict(probe).find("finds no GPU"), std::string::npos);
    probe = working();
    probe.devices = 0;
    EXPECT_NE(verdict(probe).find("finds no GPU"), std::string::npos);
}

TEST(NvidiaDriver, ServesEveryRuntimeOfItsMajorVersionAndOlderOnes) {
    DriverProbe probe = working();
    probe.version = 14020;
    EXPECT_EQ(verdict(probe), "fine");
    probe.version = 13000;
    EXPECT_TRUE(judgeDriver(probe, 13020).has_value());
    EXPECT_FALSE(judgeDriver(probe, 14000).has_value());
}

TEST(NvidiaDriver, AskingItNeverFails) {
    const DriverProbe probe = probeDriver();
    EXPECT_EQ(probe.found, probe.loadError.empty());
}

}  // namespace
}  // namespace plumb::common
