// SPDX-License-Identifier: Apache-2.0
// Kernels may start before what is in front of them has ended: a host finds those that do not wait for it.
#include "kernels/cuda/bodies/launcher.h"

#include <gtest/gtest.h>

namespace plumb::test {
namespace {

struct CopyArguments {
    const float* from = nullptr;
    float* to = nullptr;
    bool early = false;  ///< moves something before it waits
    int lazyBlock = -1;  ///< ends without a wait
};
struct CopyBody {
    using Arguments = CopyArguments;
    struct Shared {};
    static cuda::Index blocks(const Arguments& /*a*/) { return 3; }
    static void run(cuda::HostBlock& block, Shared& /*shared*/, const Arguments& a) {
        if (block.index() == a.lazyBlock) return;
        if (a.early) copy(a, block.index());
        block.waitForEarlier();
        copy(a, block.index());
    }
    static void copy(const Arguments& a, cuda::Index at) {
        cuda::storePack(a.to + 4 * at, cuda::loadPack<4>(a.from + 4 * at));
    }
};

TEST(AKernelThatStartsEarly, WaitsBeforeItMovesAnything) {
    alignas(16) const float from[12] = {1, 2, 3};
    alignas(16) float to[12] = {};
    const cuda::HostLauncher launcher;
    EXPECT_EQ(launcher.launch<CopyBody>({from, to}), 0);
    EXPECT_EQ(to[2], 3);
    EXPECT_EQ(launcher.launch<CopyBody>({from, to, true}), cuda::kRunsAhead);
}

TEST(AKernelThatStartsEarly, WaitsInEveryBlock) {
    alignas(16) const float from[12] = {};
    alignas(16) float to[12] = {};
    for (const int block : {0, 1, 2})
        EXPECT_EQ(cuda::HostLauncher().launch<CopyBody>({from, to, false, block}), cuda::kRunsAhead);
}

}  // namespace
}  // namespace plumb::test
