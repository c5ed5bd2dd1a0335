// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy_elements.h"

#include "core/base/dtype.h"
#include "core/io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace plumb {

static_assert(std::endian::native == std::endian::little, "elements are read as they lie in the file");

namespace {

/// As floatFromFp16(), but free of branches, so that a loop of it becomes vector code. The exponent is moved
/// by a product, which also gives subnormal numbers their value; infinity and NaN come out at 65536 and
/// above.
float floatFromHalf(std::uint16_t half) {
    const std::uint32_t magnitude = (half & 0x7fffU) << 13U;
    auto bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
    bits |= magnitude >= 0x0f800000U ? 0x7f800000U : 0U;
    return std::bit_cast<float>(bits | (half & 0x8000U) << 16U);
}

struct FromFp16 {
    using Stored = std::uint16_t;
    static float read(Stored stored) { return floatFromHalf(stored); }
};
struct FromBf16 {
    using Stored = std::uint16_t;
    static float read(Stored stored) { return floatFromBf16(stored); }
};
struct FromFp32 {
    using Stored = float;
    static float read(Stored stored) { return stored; }
};
template <class Number>
struct FromNumber {
    using Stored = Number;
    static float read(Stored stored) { return static_cast<float>(stored); }
};
struct FromBool {
    using Stored = std::uint8_t;
    static float read(Stored stored) { return stored == 0 ? 0.0F : 1.0F; }
};

/// memcpy: nothing guarantees that the header's length keeps elements aligned.
template <class From>
float readAt(const std::byte* elements, std::int64_t index) {
    typename From::Stored stored;
    std::memcpy(&stored, elements + index * static_cast<std::int64_t>(sizeof stored), sizeof stored);
    return From::read(stored);
}

template <class From>
void convert(const std::byte* from, std::int64_t count, float* to) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = readAt<From>(from, i);
}

template <class From>
void gather(const ColumnBlock& block, std::span<const GatheredRow> rows, std::int64_t stride, float* to) {
    for (const auto& [row, place] : rows)
        for (std::int64_t column = 0; column < block.columns; ++column)
            to[place * stride + column] = readAt<From>(block.begin, column * block.rowsPerColumn + row);
}

struct TypeRow {
    NpyType type;
    std::string_view name;
    std::string_view descr;
    std::int64_t size;
};
constexpr std::array kTypes{
    TypeRow{NpyType::Fp16, "fp16", "<f2", 2},     TypeRow{NpyType::Bf16, "bf16", "<V2", 2},
    TypeRow{NpyType::Fp32, "fp32", "<f4", 4},     TypeRow{NpyType::Fp64, "fp64", "<f8", 8},
    TypeRow{NpyType::Int8, "int8", "|i1", 1},     TypeRow{NpyType::Int16, "int16", "<i2", 2},
    TypeRow{NpyType::Int32, "int32", "<i4", 4},   TypeRow{NpyType::Int64, "int64", "<i8", 8},
    TypeRow{NpyType::UInt8, "uint8", "|u1", 1},   TypeRow{NpyType::UInt16, "uint16", "<u2", 2},
    TypeRow{NpyType::UInt32, "uint32", "<u4", 4}, TypeRow{NpyType::UInt64, "uint64", "<u8", 8},
    TypeRow{NpyType::Bool, "bool", "|b1", 1}};

const TypeRow& rowOf(NpyType type) {
    const auto row =
        std::find_if(kTypes.begin(), kTypes.end(), [=](const TypeRow& r) { return r.type == type; });
    assert(row != kTypes.end());
    return *row;
}

/// Calls work.template operator()<From>().
template <class Work>
void forType(NpyType type, Work&& work) {
    switch (type) {
    case NpyType::Fp16:
        return work.template operator()<FromFp16>();
    case NpyType::Bf16:
        return work.template operator()<FromBf16>();
    case NpyType::Fp32:
        return work.template operator()<FromFp32>();
    case NpyType::Fp64:
        return work.template operator()<FromNumber<double>>();
    case NpyType::Int8:
        return work.template operator()<FromNumber<std::int8_t>>();
    case NpyType::Int16:
        return work.template operator()<FromNumber<std::int16_t>>();
    case NpyType::Int32:
        return work.template operator()<FromNumber<std::int32_t>>();
    case NpyType::Int64:
        return work.template operator()<FromNumber<std::int64_t>>();
    case NpyType::UInt8:
        return work.template operator()<FromNumber<std::uint8_t>>();
    case NpyType::UInt16:
        return work.template operator()<FromNumber<std::uint16_t>>();
    case NpyType::UInt32:
        return work.template operator()<FromNumber<std::uint32_t>>();
    case NpyType::UInt64:
        return work.template operator()<FromNumber<std::uint64_t>>();
    case NpyType::Bool:
        return work.template operator()<FromBool>();
    }
}

}  // namespace

std::int64_t npyTypeSize(NpyType type) { return rowOf(type).size; }
std::string_view npyTypeName(NpyType type) { return rowOf(type).name; }
bool isInteger(NpyType type) { return type >= NpyType::Int8; }
std::string npyTypeNote(NpyType type) {
    return std::string(npyTypeName(type)) + (isInteger(type) ? ", read as fp32" : "");
}

Result<NpyType> npyElementType(const std::string& descr, const std::string& path) {
    for (const TypeRow& row : kTypes)
        if (row.descr == descr) return row.type;
    // One byte has no order, and some writers say one all the same.
    for (const TypeRow& row : kTypes)
        if (row.size == 1 && descr.size() == 3 && row.descr.substr(1) == std::string_view(descr).substr(1))
            return row.type;
    const std::string remedy = "convert it with array.astype('float32') and save it again";
    if (descr == "structured")
        return badFile(path,
                       "holds records with named fields (a structured dtype), and plain float32 is needed",
                       "take one field: numpy.save(path, array['field'].astype('float32'))");
    const char kind = descr.size() > 1 ? descr[1] : '?';
    if (descr[0] == '>' && (kind == 'f' || kind == 'i' || kind == 'u'))
        return badFile(path, fmt::format("holds elements of dtype '{:s}', which is big-endian", descr),
                       "convert it with array.astype('<" + descr.substr(1) + "') and save it again");
    switch (kind) {
    case 'c':
        return badFile(path,
                       fmt::format("holds elements of dtype '{:s}', which are complex, and numbers such as "
                                   "float32 or int64 are needed",
                                   descr),
                       "take array.real.astype('float32') and save it again");
    case 'O':
        return badFile(path,
                       fmt::format("holds elements of dtype '{:s}', which are Python objects, and numbers "
                                   "such as float32 or int64 are needed",
                                   descr),
                       "rows of equal length become an array with numpy.array(rows, dtype='float32')");
    case 'V':
        return badFile(path,
                       fmt::format("holds elements of dtype '{:s}', which are raw bytes without a meaning, "
                                   "and numbers such as float32 or int64 are needed",
                                   descr),
                       "save it from its own type, bfloat16 of ml_dtypes for example, or " + remedy);
    default:
        return badFile(path,
                       fmt::format("holds elements of dtype '{:s}', and numbers such as float32 or int64 are "
                                   "needed",
                                   descr),
                       remedy);
    }
}

void convertToFp32(NpyType type, const std::byte* from, std::int64_t count, float* to) {
    if (type == NpyType::Fp32) {
        std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
        return;
    }
    forType(type, [&]<class From>() { convert<From>(from, count, to); });
}

std::optional<double> beyondFp32(NpyType type, const std::byte* elements, std::int64_t index) {
    if (type != NpyType::Fp64) return std::nullopt;
    double value = 0;
    std::memcpy(&value, elements + index * static_cast<std::int64_t>(sizeof value), sizeof value);
    const bool isBeyond = std::isfinite(value) && !std::isfinite(static_cast<float>(value));
    return isBeyond ? std::optional(value) : std::nullopt;
}

void gatherRows(const ColumnBlock& block, std::span<const GatheredRow> rows, std::int64_t stride, float* to) {
    forType(block.type, [&]<class From>() { gather<From>(block, rows, stride, to); });
}

}  // namespace plumb
