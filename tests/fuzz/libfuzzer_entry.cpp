// SPDX-License-Identifier: Apache-2.0
// What libFuzzer calls; compiled once for every target, whose function PLUMB_FUZZ_TARGET names.
#include "tests/fuzz/json_fields.h"
#include "tests/fuzz/targets.h"

#include <cstdint>
#include <cstring>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

/// Half of the time a field of a JSON document gets another value, which changed bytes alone seldom achieve.
/// Empty when this input is none for that.
std::string changedField(std::string_view input, std::minstd_rand& random) {
    constexpr std::size_t kSmall = 65536;
    if (input.size() > kSmall || random() % 2 == 0) return {};
    auto json = plumb::fuzz::JsonInput::of(input);
    if (!json || !plumb::fuzz::changeField(json->document, random)) return {};
    return json->text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plumb::fuzz::PLUMB_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    std::minstd_rand random(seed);
    const std::string text = changedField({reinterpret_cast<const char*>(data), size}, random);
    if (text.empty() || text.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::memcpy(data, text.data(), text.size());
    return text.size();
}
