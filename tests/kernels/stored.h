// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "kernels/cpu/kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

namespace plumb::test {

using cpu::Storage;

inline std::int64_t sizeOf(Storage storage) {
    switch (storage) {
    case Storage::Fp32:
    case Storage::Tf32:
        return 4;
    case Storage::Bf16:
    case Storage::Fp16:
        return 2;
    case Storage::Fp8E4M3:
    case Storage::Fp8E5M2:
        return 1;
    }
    return 0;
}
inline bool isFp8(Storage storage) { return sizeOf(storage) == 1; }
inline Storage maskOf(Storage storage) { return storage == Storage::Fp8E5M2 ? Storage::Fp8E4M3 : storage; }

/// The definitions, one element at a time.
inline std::uint32_t encodeOne(Storage storage, float value) {
    switch (storage) {
    case Storage::Fp32:
    case Storage::Tf32:
        return std::bit_cast<std::uint32_t>(value);
    case Storage::Bf16:
        return bf16FromFloat(value);
    case Storage::Fp16:
        return fp16FromFloat(value);
    case Storage::Fp8E4M3:
        return fp8E4M3FromFloat(value);
    case Storage::Fp8E5M2:
        return fp8E5M2FromFloat(value);
    }
    return 0;
}
inline float decodeOne(Storage storage, std::uint32_t bits) {
    switch (storage) {
    case Storage::Fp32:
        return std::bit_cast<float>(bits);
    case Storage::Tf32:
        return tf32FromFloat(std::bit_cast<float>(bits));
    case Storage::Bf16:
        return floatFromBf16(static_cast<std::uint16_t>(bits));
    case Storage::Fp16:
        return floatFromFp16(static_cast<std::uint16_t>(bits));
    case Storage::Fp8E4M3:
        return floatFromFp8E4M3(static_cast<std::uint8_t>(bits));
    case Storage::Fp8E5M2:
        return floatFromFp8E5M2(static_cast<std::uint8_t>(bits));
    }
    return 0;
}

/// Elements of one storage type, with a canary behind them.
class Stored {
public:
    Stored(Storage storage, std::int64_t count)
        : m_storage(storage), m_bytes(static_cast<std::size_t>((count + 1) * sizeOf(storage)), kCanary) {}
    Stored(Storage storage, const std::vector<float>& values)
        : Stored(storage, static_cast<std::int64_t>(values.size())) {
        for (std::size_t i = 0; i < values.size(); ++i) set(i, encodeOne(storage, values[i]));
    }
    void* data() { return m_bytes.data(); }
    [[nodiscard]] std::uint32_t bits(std::size_t i) const {
        std::uint32_t value = 0;
        std::memcpy(&value, m_bytes.data() + i * size(), size());
        return value;
    }
    [[nodiscard]] float value(std::size_t i) const { return decodeOne(m_storage, bits(i)); }
    [[nodiscard]] const std::vector<unsigned char>& bytes() const { return m_bytes; }
    void set(std::size_t i, std::uint32_t value) { std::memcpy(m_bytes.data() + i * size(), &value, size()); }
    void expectCanary() const {
        for (std::size_t i = m_bytes.size() - size(); i < m_bytes.size(); ++i) EXPECT_EQ(m_bytes[i], kCanary);
    }

private:
    static constexpr unsigned char kCanary = 0xA5;
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(sizeOf(m_storage)); }
    Storage m_storage;
    std::vector<unsigned char> m_bytes;
};

}  // namespace plumb::test
