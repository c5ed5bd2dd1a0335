// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/pickle_writer.h"

#include <utility>

namespace plumb {

PickleWriter::PickleWriter() : m_bytes("\x80\x02") {}

void PickleWriter::number(std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) m_bytes += static_cast<char>(value >> 8 * i & 0xffU);
}

void PickleWriter::text(std::string_view text) {
    const auto [place, isNew] = m_texts.try_emplace(std::string(text), m_noted);
    if (!isNew) {
        refer(place->second);
        return;
    }
    m_bytes += 'X';
    number(text.size(), 4);
    m_bytes += text;
    (void)note();
}

void PickleWriter::whole(std::int64_t value) {
    if (value >= INT32_MIN && value <= INT32_MAX) {
        m_bytes += 'J';
        number(static_cast<std::uint64_t>(value), 4);
        return;
    }
    m_bytes += "\x8a\x08";
    number(static_cast<std::uint64_t>(value), 8);
}

void PickleWriter::boolean(bool value) { m_bytes += value ? '\x88' : '\x89'; }

std::uint32_t PickleWriter::note() {
    m_bytes += 'r';
    number(m_noted, 4);
    return m_noted++;
}

void PickleWriter::refer(std::uint32_t noted) {
    m_bytes += 'j';
    number(noted, 4);
}

std::string PickleWriter::take() {
    m_bytes += '.';
    return std::move(m_bytes);
}

}  // namespace plumb
