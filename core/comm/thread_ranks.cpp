// SPDX-License-Identifier: Apache-2.0
#include "core/comm/thread_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace plumb {
namespace {

/// A group of ranks: its members, and the how-manieth with these members.
struct GroupKey {
    std::vector<int> ranks;
    std::uint64_t number = 0;
    bool operator<(const GroupKey& other) const {
        return std::tie(ranks, number) < std::tie(other.ranks, other.number);
    }
};

/// What the threads share: who is there, what they say, and messages that were sent and not yet received.
class Shared {
public:
    explicit Shared(int size) : m_alive(static_cast<std::size_t>(size), true) {}

    [[nodiscard]] int size() const { return static_cast<int>(m_alive.size()); }

    // --- texts

    Result<std::vector<std::string>> gather(int rank, std::uint64_t round, std::string mine) {
        std::unique_lock lock(m_mutex);
        Round& said = m_rounds[round];
        said.texts.resize(m_alive.size());
        said.texts[static_cast<std::size_t>(rank)] = std::move(mine);
        change();
        const auto isMissing = [](const std::optional<std::string>& text) { return !text; };
        const auto neverComes = [&] {
            for (std::size_t other = 0; other < m_alive.size(); ++other)
                if (!said.texts[other] && !m_alive[other]) return static_cast<int>(other);
            return -1;
        };
        m_changed.wait(lock, [&] {
            return m_aborted || neverComes() >= 0 ||
                   std::none_of(said.texts.begin(), said.texts.end(), isMissing);
        });
        if (m_aborted) return *m_aborted;
        if (const int other = neverComes(); other >= 0) return hasEnded(other, rank);
        std::vector<std::string> all;
        for (const auto& text : said.texts) all.push_back(*text);
        if (++said.taken == size()) m_rounds.erase(round);
        return all;
    }

    void abort(const Error& why) {
        const std::scoped_lock lock(m_mutex);
        if (!m_aborted) m_aborted = why;
        change();
    }

    void end(int rank) {
        const std::scoped_lock lock(m_mutex);
        m_alive[static_cast<std::size_t>(rank)] = false;
        change();
    }

    // --- messages

    struct Sent {
        std::span<const std::byte> bytes;
        bool taken = false;
    };
    /// Of one group, from one of the ranks of the world to another.
    struct Way {
        GroupKey group;
        int from = 0, to = 0;
        std::uint64_t tag = 0;
        bool operator<(const Way& other) const {
            return std::tie(group, from, to, tag) < std::tie(other.group, other.from, other.to, other.tag);
        }
    };

    std::shared_ptr<Sent> send(const Way& way, std::span<const std::byte> bytes) {
        auto sent = std::make_shared<Sent>(Sent{bytes});
        const std::scoped_lock lock(m_mutex);
        m_sent[way].push_back(sent);
        change();
        return sent;
    }

    Result<bool> hasLeft(const Way& way, const Sent& sent) {
        const std::scoped_lock lock(m_mutex);
        if (sent.taken) return true;
        if (m_aborted) return *m_aborted;
        if (!m_alive[static_cast<std::size_t>(way.to)]) return hasEnded(way.to, way.from);
        return false;
    }

    /// Takes the oldest message of the way, if there is one, into `bytes`.
    Result<bool> receive(const Way& way, std::span<std::byte> bytes) {
        std::shared_ptr<Sent> sent;
        {
            const std::scoped_lock lock(m_mutex);
            const auto found = m_sent.find(way);
            if (found == m_sent.end()) {
                if (m_aborted) return *m_aborted;
                if (!m_alive[static_cast<std::size_t>(way.from)]) return hasEnded(way.from, way.to);
                return false;
            }
            sent = found->second.front();
            found->second.pop_front();
            if (found->second.empty()) m_sent.erase(found);
        }
        // Outside of the lock: the sender leaves its bytes alone until they are taken.
        const bool fits = sent->bytes.size() == bytes.size();
        if (fits) std::memcpy(bytes.data(), sent->bytes.data(), bytes.size());
        const std::scoped_lock lock(m_mutex);
        sent->taken = true;
        change();
        if (fits) return true;
        if (!m_aborted)
            m_aborted = internalError(fmt::format("rank {} sent {} bytes to rank {}, which waited for {}",
                                                  way.from, sent->bytes.size(), way.to, bytes.size()));
        return *m_aborted;
    }

    /// Takes back a message that was not received, so that its bytes may go.
    void withdraw(const Way& way, const std::shared_ptr<Sent>& sent) {
        std::unique_lock lock(m_mutex);
        const auto found = m_sent.find(way);
        if (found != m_sent.end() && found->second.remove(sent) > 0) {
            if (found->second.empty()) m_sent.erase(found);
            return;
        }
        m_changed.wait(lock, [&] { return sent->taken; });  // it is being copied just now
    }

    /// Waits until something has changed since it had changed `seen` times. Whatever changes may be what is
    /// waited for: the caller looks.
    void wait(std::chrono::microseconds most, std::uint64_t& seen) {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, most, [&] { return m_changes != seen; });
        seen = m_changes;
    }
    void wake() {
        const std::scoped_lock lock(m_mutex);
        change();
    }

private:
    struct Round {
        std::vector<std::optional<std::string>> texts;
        int taken = 0;
    };

    /// Pre: m_mutex is held.
    void change() {
        ++m_changes;
        m_changed.notify_all();
    }
    static Error hasEnded(int other, int rank) {
        return Error{ErrorCode::RunFailed,
                     fmt::format("rank {} has ended while rank {} waits for it", other, rank),
                     "see what that rank said, and start the training again from its last checkpoint"};
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_changes = 0;
    std::vector<bool> m_alive;
    std::optional<Error> m_aborted;
    std::map<std::uint64_t, Round> m_rounds;
    std::map<Way, std::list<std::shared_ptr<Sent>>> m_sent;
};

class ThreadMessages final : public Messages {
public:
    ThreadMessages(std::shared_ptr<Shared> shared, GroupKey group, int worldRank)
        : m_shared(std::move(shared)), m_group(std::move(group)), m_worldRank(worldRank) {}
    ~ThreadMessages() override {
        for (const auto& [handle, open] : m_open) giveUp(open);
    }
    ThreadMessages(const ThreadMessages&) = delete;
    ThreadMessages& operator=(const ThreadMessages&) = delete;

    int rank() const override {
        return static_cast<int>(std::find(m_group.ranks.begin(), m_group.ranks.end(), m_worldRank) -
                                m_group.ranks.begin());
    }
    int size() const override { return static_cast<int>(m_group.ranks.size()); }

    Handle send(int peer, std::uint64_t tag, std::span<const std::byte> bytes) override {
        const Shared::Way way{m_group, m_worldRank, worldRank(peer), tag};
        m_open.emplace(m_next, Open{way, m_shared->send(way, bytes), {}});
        return m_next++;
    }
    Handle receive(int peer, std::uint64_t tag, std::span<std::byte> bytes) override {
        m_open.emplace(m_next, Open{{m_group, worldRank(peer), m_worldRank, tag}, nullptr, bytes});
        m_receiving[{worldRank(peer), tag}].push_back(m_next);
        return m_next++;
    }
    Result<bool> done(Handle handle) override {
        const auto found = m_open.find(handle);
        const Open& open = found->second;
        // What comes is for the one that was posted first, whichever is asked for.
        if (!open.sent && m_receiving.at({open.way.from, open.way.tag}).front() != handle) return false;
        Result<bool> done =
            open.sent ? m_shared->hasLeft(open.way, *open.sent) : m_shared->receive(open.way, open.into);
        if (done.has_value() && *done) close(found);
        return done;
    }
    void cancel(Handle handle) override {
        const auto found = m_open.find(handle);
        giveUp(found->second);
        close(found);
    }
    void wait(std::chrono::microseconds most) override { m_shared->wait(most, m_seen); }
    void wake() override { m_shared->wake(); }

private:
    struct Open {
        Shared::Way way;
        std::shared_ptr<Shared::Sent> sent;  ///< none: to be received
        std::span<std::byte> into;
    };
    void close(std::map<Handle, Open>::iterator spent) {
        if (!spent->second.sent) {
            const auto way = m_receiving.find({spent->second.way.from, spent->second.way.tag});
            way->second.remove(spent->first);
            if (way->second.empty()) m_receiving.erase(way);
        }
        m_open.erase(spent);
    }
    /// What is to be received is copied by this rank alone.
    void giveUp(const Open& open) {
        if (open.sent) m_shared->withdraw(open.way, open.sent);
    }
    [[nodiscard]] int worldRank(int peer) const { return m_group.ranks[static_cast<std::size_t>(peer)]; }

    const std::shared_ptr<Shared> m_shared;
    const GroupKey m_group;
    const int m_worldRank;
    std::map<Handle, Open> m_open;
    std::map<std::pair<int, std::uint64_t>, std::list<Handle>> m_receiving;  ///< by rank and tag, as posted
    Handle m_next = 0;
    std::uint64_t m_seen = 0;  ///< changes of what is shared, before the last look at it
};

class ThreadWorld final : public World {
public:
    ThreadWorld(std::shared_ptr<Shared> shared, int rank) : m_shared(std::move(shared)), m_rank(rank) {}
    ~ThreadWorld() override { m_shared->end(m_rank); }

    int rank() const override { return m_rank; }
    int size() const override { return m_shared->size(); }
    Result<std::vector<std::string>> gather(std::string mine) override {
        return m_shared->gather(m_rank, m_round++, std::move(mine));
    }
    Result<std::unique_ptr<Messages>> group(std::span<const int> ranks) override {
        std::vector<int> members(ranks.begin(), ranks.end());
        const std::uint64_t number = m_groups[members]++;
        return std::unique_ptr<Messages>(
            std::make_unique<ThreadMessages>(m_shared, GroupKey{std::move(members), number}, m_rank));
    }
    void abort(const Error& why) override { m_shared->abort(why); }

private:
    const std::shared_ptr<Shared> m_shared;
    const int m_rank;
    std::uint64_t m_round = 0;
    std::map<std::vector<int>, std::uint64_t> m_groups;
};

}  // namespace

std::vector<std::unique_ptr<World>> threadRanks(int size) {
    const auto shared = std::make_shared<Shared>(size);
    std::vector<std::unique_ptr<World>> worlds;
    worlds.reserve(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank) worlds.push_back(std::make_unique<ThreadWorld>(shared, rank));
    return worlds;
}

}  // namespace plumb
