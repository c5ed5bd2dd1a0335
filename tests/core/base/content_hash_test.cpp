// SPDX-License-Identifier: Apache-2.0
#include "core/base/content_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace plumb {
namespace {

std::string hashOf(const std::string& text) {
    ContentHash hash;
    hash.add(text);
    return hash.hex();
}

// Made with xxhsum 0.8.1: printf '...' | xxhsum -H1
TEST(ContentHash, IsThatOfTheReference) {
    EXPECT_EQ(hashOf(""), "ef46db3751d8e999");
    EXPECT_EQ(hashOf("a"), "d24ec4f1a98c6e5b");
    EXPECT_EQ(hashOf("abc"), "44bc2cf5ad770999");
    EXPECT_EQ(hashOf("Nobody inspects the spammish repetition"), "fbcea83c8a378bf1");
    EXPECT_EQ(hashOf(std::string(1000, 'x')), "4cb9a3b69cb700e1");
}

TEST(ContentHash, DoesNotDependOnThePieces) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
    for (std::size_t size : {1U, 3U, 8U, 31U, 32U, 33U, 64U, 299U}) {
        ContentHash hash;
        for (std::size_t i = 0; i < text.size(); i += size) hash.add(std::string_view(text).substr(i, size));
        EXPECT_EQ(hash.hex(), hashOf(text)) << size;
    }
}

TEST(ContentHash, SeesEveryBit) {
    const std::string text(77, 'x');
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string other = text;
        other[i] = 'y';
        EXPECT_NE(hashOf(other), hashOf(text)) << i;
    }
}

}  // namespace
}  // namespace plumb
