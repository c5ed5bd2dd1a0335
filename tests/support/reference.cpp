// SPDX-License-Identifier: Apache-2.0
#include "tests/support/reference.h"

#include "test_paths.h"

#include <fstream>

namespace plumb::test {

nlohmann::json referenceFile(const std::string& name) {
    std::ifstream file(std::string(PLUMB_TEST_DATA) + "/" + name);
    return nlohmann::json::parse(file);
}

}  // namespace plumb::test
