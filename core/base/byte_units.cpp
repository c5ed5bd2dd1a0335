// SPDX-License-Identifier: Apache-2.0
#include "core/base/byte_units.h"

#include <atomic>

namespace plumb {
namespace {

std::atomic<ByteUnits> unitsInForce{ByteUnits::Si};

}  // namespace

ByteUnits byteUnits() { return unitsInForce.load(); }
void setByteUnits(ByteUnits units) { unitsInForce.store(units); }

}  // namespace plumb
