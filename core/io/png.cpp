// SPDX-License-Identifier: Apache-2.0
#include "core/io/png.h"

#include <cassert>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace plumb {

namespace {

constexpr int kBytesOfPixel = 4;
constexpr unsigned kByteBits = 8, kByteMask = 0xFF;
// Of an image header: eight bits a channel, colour with alpha, and no interlacing.
constexpr std::string_view kForm("\x08\x06\x00\x00\x00", 5);
constexpr std::string_view kSignature("\x89PNG\r\n\x1A\n", 8);

void appendNumber(std::string& out, std::uint32_t number) {
    for (int byte = 3; byte >= 0; --byte)
        out += static_cast<char>(number >> (kByteBits * static_cast<unsigned>(byte)) & kByteMask);
}

void appendChunk(std::string& file, std::string_view name, std::string_view data) {
    appendNumber(file, static_cast<std::uint32_t>(data.size()));
    std::string checked(name);
    checked += data;
    file += checked;
    appendNumber(file, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                                        static_cast<uInt>(checked.size()))));
}

}  // namespace

std::string pngFile(std::span<const std::uint8_t> pixels, int width, int height) {
    assert(width > 0 && height > 0);
    const std::size_t row = static_cast<std::size_t>(width) * kBytesOfPixel;
    assert(pixels.size() == row * static_cast<std::size_t>(height));
    std::vector<std::uint8_t> rows;
    rows.reserve(pixels.size() + static_cast<std::size_t>(height));
    for (std::size_t begin = 0; begin < pixels.size(); begin += row) {
        rows.push_back(0);  // no filter
        const auto line = pixels.subspan(begin, row);
        rows.insert(rows.end(), line.begin(), line.end());
    }
    uLongf length = compressBound(rows.size());
    std::string packed(length, '\0');
    const int done = compress2(reinterpret_cast<Bytef*>(packed.data()), &length, rows.data(), rows.size(),
                               Z_BEST_COMPRESSION);
    assert(done == Z_OK);  // the room is what it asked for
    packed.resize(done == Z_OK ? length : 0);

    std::string file(kSignature), header;
    appendNumber(header, static_cast<std::uint32_t>(width));
    appendNumber(header, static_cast<std::uint32_t>(height));
    header += kForm;
    appendChunk(file, "IHDR", header);
    appendChunk(file, "IDAT", packed);
    appendChunk(file, "IEND", {});
    return file;
}

}  // namespace plumb
