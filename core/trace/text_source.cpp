// SPDX-License-Identifier: Apache-2.0
#include "core/trace/text_source.h"

#include "core/io/file.h"
#include "core/io/file_growth.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>
#include <zlib.h>

namespace plumb::trace {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::size_t kPiecesAhead = 4;

double shareOf(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

class PlainText final : public TextSource {
public:
    explicit PlainText(ReadableFile file) : m_file(std::move(file)) {}
    Result<std::size_t> read(std::span<char> room) override {
        const std::size_t count =
            static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), m_file.size() - m_at));
        PLUMB_CHECK(m_file.read(m_at, std::as_writable_bytes(room.first(count))));
        m_at += count;
        return count;
    }
    [[nodiscard]] double share() const override { return shareOf(m_at, m_file.size()); }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_file.size(); }
    [[nodiscard]] std::uint64_t grownBy() const override { return grownBytes(m_file); }

private:
    ReadableFile m_file;
    std::uint64_t m_at = 0;
};

/// Members of a gzip file, one after the other, as one text.
class Inflater {
public:
    Inflater() : m_ready(inflateInit2(&m_stream, kGzip) == Z_OK) {}
    ~Inflater() {
        if (m_ready) inflateEnd(&m_stream);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    void give(std::span<const std::byte> packed) {
        m_stream.next_in =
            const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));  // zlib reads it
        m_stream.avail_in = static_cast<uInt>(packed.size());
    }
    [[nodiscard]] bool isHungry() const { return m_stream.avail_in == 0; }
    [[nodiscard]] bool isBetweenMembers() const { return m_ended; }
    /// Whether what follows the last member is no gzip: padding, which is left alone.
    [[nodiscard]] bool isDone() const { return m_done; }

    /// Fills `room`; false when the file is damaged.
    [[nodiscard]] bool unpack(std::span<char> room, std::size_t& count) {
        if (!m_ready) return false;
        m_stream.next_out = reinterpret_cast<Bytef*>(room.data());
        m_stream.avail_out = static_cast<uInt>(room.size());
        bool whole = true;
        while (m_stream.avail_in > 0 && m_stream.avail_out > 0 && !m_done) {
            if (m_ended) {
                if (*m_stream.next_in != 0x1F) {
                    m_done = true;
                    break;
                }
                inflateReset(&m_stream);
                m_ended = false;
            }
            const int status = inflate(&m_stream, Z_NO_FLUSH);
            if (status == Z_STREAM_END) {
                m_ended = true;
            } else if (status != Z_OK) {
                whole = false;
                break;
            }
        }
        count = room.size() - m_stream.avail_out;
        return whole;
    }

private:
    static constexpr int kGzip = 15 + 16;  // the largest window, with the header of gzip
    z_stream m_stream{};
    bool m_ready;
    bool m_ended = false;
    bool m_done = false;
};

/// Unpacks in a thread of its own, a few pieces ahead of who reads.
class PackedText final : public TextSource {
public:
    explicit PackedText(ReadableFile file)
        : m_file(std::move(file)), m_thread([this](const std::stop_token& stop) { work(stop); }) {}
    ~PackedText() override {
        m_thread.request_stop();
        m_changed.notify_all();
    }

    Result<std::size_t> read(std::span<char> room) override {
        if (m_taken == m_piece.size()) {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [&] { return !m_ready.empty() || m_finished; });
            if (m_ready.empty()) {
                if (m_problem) return *m_problem;
                return std::size_t{0};
            }
            m_piece = std::move(m_ready.front());
            m_ready.pop_front();
            m_taken = 0;
            m_changed.notify_all();
        }
        const std::size_t count = std::min(room.size(), m_piece.size() - m_taken);
        std::memcpy(room.data(), m_piece.data() + m_taken, count);
        m_taken += count;
        return count;
    }
    [[nodiscard]] double share() const override { return shareOf(m_packedRead, m_file.size()); }
    [[nodiscard]] bool isCut() const override { return m_cut; }
    [[nodiscard]] bool isPacked() const override { return true; }
    [[nodiscard]] std::uint64_t fileBytes() const override { return m_file.size(); }
    [[nodiscard]] std::uint64_t grownBy() const override { return grownBytes(m_file); }

private:
    void work(const std::stop_token& stop) {
        Inflater inflater;
        std::vector<std::byte> packed(kPiece / 4);
        std::uint64_t at = 0;
        std::uint64_t unpacked = 0;
        while (!stop.stop_requested() && !inflater.isDone()) {
            if (inflater.isHungry()) {
                const auto count =
                    static_cast<std::size_t>(std::min<std::uint64_t>(packed.size(), m_file.size() - at));
                if (count == 0) return finish(std::nullopt, !inflater.isBetweenMembers());
                const Result<void> read = m_file.read(at, std::span(packed).first(count));
                if (!read.has_value()) return finish(read.error(), false);
                at += count;
                m_packedRead = at;
                inflater.give(std::span(packed).first(count));
            }
            std::vector<char> piece(kPiece);
            std::size_t count = 0;
            const bool whole = inflater.unpack(piece, count);
            unpacked += count;
            piece.resize(count);
            if (count > 0 && !deliver(std::move(piece), stop)) return;
            if (!whole) return finish(std::nullopt, true);
            if (unpacked > (std::uint64_t{64} << 20U) && unpacked / kMostGrowth > at)
                return finish(badFile(m_file.path(),
                                      "unpacks to more than " + std::to_string(kMostGrowth) +
                                          " times its size, which no trace does",
                                      "if you trust it, unpack it with gunzip and open the result"),
                              false);
        }
        finish(std::nullopt, false);
    }
    [[nodiscard]] bool deliver(std::vector<char> piece, const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, stop, [&] { return m_ready.size() < kPiecesAhead; });
        if (stop.stop_requested()) return false;
        m_ready.push_back(std::move(piece));
        m_changed.notify_all();
        return true;
    }
    void finish(std::optional<Error> problem, bool cut) {
        const std::scoped_lock lock(m_mutex);
        m_problem = std::move(problem);
        m_cut = cut;
        m_finished = true;
        m_changed.notify_all();
    }

    ReadableFile m_file;
    std::vector<char> m_piece;  ///< what is being read
    std::size_t m_taken = 0;
    std::atomic<std::uint64_t> m_packedRead = 0;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::vector<char>> m_ready;
    std::optional<Error> m_problem;
    std::atomic<bool> m_cut = false;
    bool m_finished = false;
    std::jthread m_thread;  ///< last: it uses all of the above
};

}  // namespace

Result<std::unique_ptr<TextSource>> openTextSource(const std::string& path) {
    PLUMB_TRY(ReadableFile file, ReadableFile::open(path));
    std::array<std::byte, 2> start{};
    if (file.size() >= start.size()) PLUMB_CHECK(file.read(0, start));
    if (start[0] == std::byte{0x1F} && start[1] == std::byte{0x8B})
        return std::unique_ptr<TextSource>(std::make_unique<PackedText>(std::move(file)));
    return std::unique_ptr<TextSource>(std::make_unique<PlainText>(std::move(file)));
}

}  // namespace plumb::trace
