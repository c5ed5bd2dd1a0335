// SPDX-License-Identifier: Apache-2.0
#include "core/trace/name_table.h"

#include <algorithm>
#include <cstring>

namespace plumb::trace {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18U;
constexpr NameId kOthers = 1;
/// Ten times what names that aim at nothing need.
constexpr std::size_t kMostLooks = 1024;

/// Fast on texts of 10 to 300 bytes. Files can aim at collisions: kMostLooks bounds what they cost.
std::uint64_t hashOf(std::string_view text) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = text.size() * kOdd;
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * kOdd;
        hash ^= hash >> 29U;
    };
    std::size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + i, 8);
        mix(word);
    }
    std::uint64_t rest = 0;
    if (i < text.size())
        std::memcpy(&rest, text.data() + i, text.size() - i);  // an empty text has no address
    mix(rest);
    return hash ^ (hash >> 32U);
}

}  // namespace

NameTable::NameTable() : m_slots(1024, 0) {
    (void)intern("");
    (void)intern("(other names)");
}

std::string_view NameTable::kept(std::string_view text) {
    if (m_blocks.empty() || m_blocks.back().capacity() - m_blocks.back().size() < text.size()) {
        m_blocks.emplace_back();
        m_blocks.back().reserve(std::max(kBlock, text.size()));
    }
    std::string& block = m_blocks.back();
    const std::size_t begin = block.size();
    block.append(text);
    return std::string_view(block).substr(begin, text.size());
}

void NameTable::grow() {
    std::vector<std::uint32_t> slots(m_slots.size() * 2, 0);
    const std::size_t mask = slots.size() - 1;
    for (std::size_t id = 0; id < m_texts.size(); ++id) {
        std::size_t slot = m_hashes[id] & mask;
        while (slots[slot] != 0) slot = (slot + 1) & mask;
        slots[slot] = static_cast<std::uint32_t>(id + 1);
    }
    m_slots.swap(slots);
}

NameId NameTable::intern(std::string_view text) {
    text = text.substr(0, kLongest);
    const std::uint64_t hash = hashOf(text);
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hash & mask;
    std::size_t looked = 0;
    for (; m_slots[slot] != 0 && looked < kMostLooks; slot = (slot + 1) & mask, ++looked) {
        const std::size_t id = m_slots[slot] - 1;
        if (m_hashes[id] == hash && m_texts[id] == text) return static_cast<NameId>(id);
    }
    if (looked == kMostLooks || m_texts.size() >= kMostNames || m_textBytes + text.size() > kMostBytes) {
        ++m_refused;
        return kOthers;
    }
    m_texts.push_back(kept(text));
    m_hashes.push_back(hash);
    m_textBytes += text.size();
    m_slots[slot] = static_cast<std::uint32_t>(m_texts.size());
    if (m_texts.size() * 2 > m_slots.size()) grow();
    return static_cast<NameId>(m_texts.size() - 1);
}

std::size_t NameTable::bytes() const {
    std::size_t sum =
        m_texts.capacity() * sizeof(std::string_view) + m_hashes.capacity() * 8 + m_slots.capacity() * 4;
    for (const std::string& block : m_blocks) sum += block.capacity();
    return sum;
}

}  // namespace plumb::trace
