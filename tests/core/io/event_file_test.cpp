// SPDX-License-Identifier: Apache-2.0
#include "core/io/event_file.h"

#include "tests/support/hex.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb {
namespace {

TEST(Crc32c, IsThatOfThePublishedVectors) {
    // RFC 3720, B.4, and the check value of the catalogue of CRCs.
    EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
    std::string rising, falling;
    for (int i = 0; i < 32; ++i) {
        rising += static_cast<char>(i);
        falling += static_cast<char>(31 - i);
    }
    EXPECT_EQ(crc32c(rising), 0x46DD794EU);
    EXPECT_EQ(crc32c(falling), 0x113FDB5CU);
    EXPECT_EQ(crc32c(""), 0U);
}

TEST(EventFile, IsByteForByteWhatTensorBoardWrites) {
    EventFileWriter file(1000);
    file.scalar(3, 1001.5, "loss", 0.5F);
    file.scalar(300, 1002, "lr", 1e-3F);
    // Made with the protocol buffers and the record writer of tensorboard 2.21.
    EXPECT_EQ(
        test::hex(file.take()),
        "1800000000000000a37f4b22090000000000408f401a0d627261696e2e4576656e743a3273ae6b561a00000000000000"
        "129bd82d0900000000004c8f4010032a0d0a0b0a046c6f7373150000003f1723c8cc19000000000000008bf108280900"
        "00000000508f4010ac022a0b0a090a026c72156f12833a66301db7");
}

TEST(EventFile, KeepsNumbersThatAreNotFinite) {
    EventFileWriter file(0);
    file.scalar(0, 0, "loss", std::nanf(""));
    file.scalar(1, 0, "loss", INFINITY);
    EXPECT_EQ(file.take().size(), 40U + 2 * (16 + 9 + 2 + 2 + 2 + 6 + 5));
}

}  // namespace
}  // namespace plumb
