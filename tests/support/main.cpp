// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_environment.h"

#include <gmock/gmock.h>

int main(int argc, char** argv) {
    const plumb::test::TestEnvironment environment;
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
