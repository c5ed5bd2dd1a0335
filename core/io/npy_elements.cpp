// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy_elements.h"

#include <bit>
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
struct FromFp64 {
    using Stored = double;
    static float read(Stored stored) { return static_cast<float>(stored); }
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

Error badType(const std::string& path, const std::string& what, const std::string& remedy) {
    return Error{ErrorCode::BadInput, path + " " + what, remedy};
}

}  // namespace

Result<Dtype> npyElementType(const std::string& descr, const std::string& path) {
    if (descr == "<f2") return Dtype::Fp16;
    if (descr == "<f4") return Dtype::Fp32;
    if (descr == "<f8") return Dtype::Fp64;
    if (descr == "<V2") return Dtype::Bf16;
    const std::string remedy = "convert it with array.astype('float32') and save it again";
    const std::string found = "holds elements of dtype '" + descr + "'";
    const std::string needed = ", and float16, float32 or float64 is needed";
    if (descr == "structured")
        return badType(path,
                       "holds records with named fields (a structured dtype), and plain float32 is needed",
                       "take one field: numpy.save(path, array['field'].astype('float32'))");
    if (descr == ">f2" || descr == ">f4" || descr == ">f8")
        return badType(path, found + ", which is big-endian",
                       "convert it with array.astype('<" + descr.substr(1) + "') and save it again");
    const char kind = descr.size() > 1 ? descr[1] : '?';
    switch (kind) {
    case 'i':
    case 'u':
        return badType(path, found + ", which are integers" + needed,
                       remedy + ", or save token ids without a header: array.tofile('tokens.u16')");
    case 'b':
        return badType(path, found + ", which are booleans" + needed, remedy);
    case 'c':
        return badType(path, found + ", which are complex" + needed,
                       "take array.real.astype('float32') and save it again");
    case 'O':
        return badType(path, found + ", which are Python objects" + needed,
                       "rows of equal length become an array with numpy.array(rows, dtype='float32')");
    case 'V':
        return badType(path, found + ", which are raw bytes without a meaning" + needed,
                       "save it from its own type, bfloat16 of ml_dtypes for example, or " + remedy);
    default:
        return badType(path, found + needed, remedy);
    }
}

void convertToFp32(Dtype type, const std::byte* from, std::int64_t count, float* to) {
    switch (type) {
    case Dtype::Fp16:
        return convert<FromFp16>(from, count, to);
    case Dtype::Bf16:
        return convert<FromBf16>(from, count, to);
    case Dtype::Fp64:
        return convert<FromFp64>(from, count, to);
    default:
        std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
    }
}

void gatherRows(const ColumnBlock& block, std::span<const GatheredRow> rows, std::int64_t stride, float* to) {
    switch (block.type) {
    case Dtype::Fp16:
        return gather<FromFp16>(block, rows, stride, to);
    case Dtype::Bf16:
        return gather<FromBf16>(block, rows, stride, to);
    case Dtype::Fp64:
        return gather<FromFp64>(block, rows, stride, to);
    default:
        return gather<FromFp32>(block, rows, stride, to);
    }
}

}  // namespace plumb
