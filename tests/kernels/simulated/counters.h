// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plumb::test::simulated {

/// Tells whoever watches launches through CUPTI of one by the host: `kernel` as Device::enqueue() has it.
void noteLaunch(const char* kernel);

}  // namespace plumb::test::simulated
