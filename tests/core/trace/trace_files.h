// SPDX-License-Identifier: Apache-2.0
// Traces made in tests.
#pragma once

#include "core/trace/trace_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace plumb::trace::test {

/// Whole numbers, the same each time.
class Draws {
public:
    explicit Draws(unsigned seed) : m_random(seed) {}
    [[nodiscard]] int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

private:
    std::mt19937 m_random;
};

/// A text that comes in pieces of `piece` bytes, so that every event is cut somewhere.
class TextPieces final : public TextSource {
public:
    explicit TextPieces(std::string text, std::size_t piece = SIZE_MAX)
        : m_text(std::move(text)), m_piece(piece) {}
    Result<std::size_t> read(std::span<char> room) override {
        const std::size_t count = std::min({room.size(), m_piece, m_text.size() - m_at});
        std::memcpy(room.data(), m_text.data() + m_at, count);
        m_at += count;
        return count;
    }
    [[nodiscard]] double share() const override { return 0.5; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_text.size(); }

private:
    std::string m_text;
    std::size_t m_piece;
    std::size_t m_at = 0;
};

inline Result<Trace> readText(const std::string& text, std::size_t piece = SIZE_MAX) {
    TextPieces source(text, piece);
    return readTrace(source, "made.json");
}

inline std::string packed(std::string_view text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// A slice as Kineto writes it, on a line of its own.
inline std::string slice(std::string_view category, std::string_view name, std::string_view place,
                         std::string_view times, std::string_view args = "") {
    std::string text = R"(  {"ph": "X", "cat": ")";
    text.append(category).append(R"(", "name": ")").append(name).append("\", ").append(place).append(", ");
    return text.append(times).append(R"(, "args": {)").append(args).append("}}");
}
/// Microseconds to the nanosecond, with a point in every locale.
inline std::string microseconds(double value) {
    const long long nanoseconds = std::llround(std::abs(value) * 1000);
    std::string fraction = std::to_string(nanoseconds % 1000);
    fraction.insert(0, 3 - fraction.size(), '0');
    return (value < 0 ? "-" : "") + std::to_string(nanoseconds / 1000) + '.' + fraction;
}
inline std::string times(double ts, double dur) {
    return "\"ts\": " + microseconds(ts) + ", \"dur\": " + microseconds(dur);
}
inline std::string kernel(std::string_view name, double ts, double dur, int stream, int correlation,
                          int device = 0) {
    const std::string at = std::to_string(device);
    const std::string on = std::to_string(stream);
    return slice("kernel", name, "\"pid\": " + at + ", \"tid\": " + on, times(ts, dur),
                 "\"device\": " + at + ", \"stream\": " + on +
                     ", \"correlation\": " + std::to_string(correlation));
}
inline std::string onHost(std::string_view category, std::string_view name, double ts, double dur,
                          const std::string& args = "", int thread = 100) {
    return slice(category, name, R"("pid": 100, "tid": )" + std::to_string(thread), times(ts, dur), args);
}
inline std::string launch(double ts, double dur, int correlation, std::string_view name = "cudaLaunchKernel",
                          int thread = 100) {
    return onHost("cuda_runtime", name, ts, dur, "\"correlation\": " + std::to_string(correlation), thread);
}
inline std::string document(const std::vector<std::string>& events) {
    std::string text = "{\n\"schemaVersion\": 1,\n\"traceEvents\": [\n";
    for (std::size_t i = 0; i < events.size(); ++i)
        text += events[i] + (i + 1 < events.size() ? ",\n" : "\n");
    return text + "],\n\"traceName\": \"made.json\"\n}\n";
}

}  // namespace plumb::trace::test
