// SPDX-License-Identifier: Apache-2.0
#include "core/trace/event_scanner.h"

#include <cstring>
#include <utility>

namespace plumb::trace {

namespace {

constexpr std::uint64_t everyByte(char byte) {
    return 0x0101010101010101U * static_cast<unsigned char>(byte);
}
/// A word with the top bit set in (at least the first of) the bytes that are 0.
constexpr std::uint64_t zeroBytes(std::uint64_t word) {
    return (word - everyByte(1)) & ~word & everyByte('\x80');
}
std::uint64_t wordAt(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// The next quote, backslash, line end or 0 byte.
const char* endOfPlainText(const char* at) {
    for (;; at += sizeof(std::uint64_t)) {
        const std::uint64_t word = wordAt(at);
        const std::uint64_t found = zeroBytes(word ^ everyByte('"')) | zeroBytes(word ^ everyByte('\\')) |
                                    zeroBytes(word ^ everyByte('\n')) | zeroBytes(word);
        if (found == 0) continue;
        while (*at != '"' && *at != '\\' && *at != '\n' && *at != '\0') ++at;
        return at;
    }
}

bool isWordCharacter(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

struct FieldName {
    std::string_view text;
    Field field;
};
constexpr FieldName kEventFields[]{{"ph", Field::Phase},    {"cat", Field::Category}, {"name", Field::Name},
                                   {"pid", Field::Process}, {"tid", Field::Thread},   {"ts", Field::Time},
                                   {"dur", Field::Duration}};
constexpr FieldName kArgumentFields[]{{"correlation", Field::Correlation},
                                      {"External id", Field::External},
                                      {"external id", Field::External},
                                      {"Sequence number", Field::Sequence},
                                      {"Fwd thread id", Field::ForwardThread},
                                      {"device", Field::Device},
                                      {"stream", Field::Stream},
                                      {"bytes", Field::Bytes},
                                      {"Bytes", Field::Bytes},
                                      {"size", Field::Bytes},
                                      {"Input Dims", Field::Shapes},
                                      {"Input dims", Field::Shapes},
                                      {"Input type", Field::Types},
                                      {"cuda_sync_kind", Field::SyncKind},
                                      {"wait_on_stream", Field::WaitStream},
                                      {"wait_on_cuda_event_record_corr_id", Field::WaitCorrelation},
                                      {"Total Allocated", Field::TotalAllocated},
                                      {"Total Reserved", Field::TotalReserved},
                                      {"Device Type", Field::DeviceType},
                                      {"Device Id", Field::DeviceId},
                                      {"Addr", Field::Address},
                                      {"Collective name", Field::Collective},
                                      {"Seq", Field::CollectiveSequence},
                                      {"In msg nelems", Field::ElementsIn},
                                      {"Out msg nelems", Field::ElementsOut},
                                      {"Dst Rank", Field::PeerRank},
                                      {"Src Rank", Field::PeerRank},
                                      {"dtype", Field::ElementType},
                                      {"Process Group Name", Field::GroupName},
                                      {"Process Group Description", Field::GroupDescription},
                                      {"Process Group Ranks", Field::GroupRanks},
                                      {"Group size", Field::GroupSize},
                                      {"name", Field::Label},
                                      {"labels", Field::Label}};

Field fieldOf(std::string_view key, bool inArgs) {
    if (inArgs) {
        for (const FieldName& name : kArgumentFields)
            if (name.text == key) return name.field;
    } else {
        for (const FieldName& name : kEventFields)
            if (name.text == key) return name.field;
    }
    return Field::Other;
}

int hexDigits(std::string_view text) {
    int value = 0;
    if (text.size() < 4) return -1;
    for (const char c : text.substr(0, 4)) {
        const char lower = static_cast<char>(c | 0x20);
        if (c >= '0' && c <= '9')
            value = value * 16 + (c - '0');
        else if (lower >= 'a' && lower <= 'f')
            value = value * 16 + (lower - 'a' + 10);
        else
            return -1;
    }
    return value;
}

void appendUtf8(std::string& out, unsigned code) {
    const auto byte = [&](unsigned value) { out.push_back(static_cast<char>(value)); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0U | (code >> 6U));
        byte(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        byte(0xE0U | (code >> 12U));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    } else {
        byte(0xF0U | (code >> 18U));
        byte(0x80U | ((code >> 12U) & 0x3FU));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    }
}

}  // namespace

char EventScanner::peek() {
    while (m_at < m_end && static_cast<unsigned char>(*m_at) <= ' ') ++m_at;
    return m_at < m_end ? *m_at : '\0';
}

Scanned EventScanner::pass(char expected) {
    if (peek() == expected) {
        ++m_at;
        return Scanned::Whole;
    }
    return m_at == m_end ? Scanned::Cut : Scanned::Broken;
}

Scanned EventScanner::text(std::string_view& text, bool& escaped) {
    const Scanned opened = pass('"');
    if (opened != Scanned::Whole) return opened;
    const char* const begin = m_at;
    escaped = false;
    for (;;) {
        m_at = endOfPlainText(m_at);
        if (m_at >= m_end) {
            m_at = m_end;
            return Scanned::Cut;
        }
        if (*m_at == '"') break;
        if (*m_at == '\n') return Scanned::Broken;
        if (*m_at == '\\') {
            escaped = true;
            if (m_at + 1 >= m_end) return Scanned::Cut;
            if (m_at[1] == '\n') return Scanned::Broken;
            ++m_at;
        }
        ++m_at;  // what is escaped, or a 0 byte of the text
    }
    text = {begin, static_cast<std::size_t>(m_at - begin)};
    ++m_at;
    return Scanned::Whole;
}

Scanned EventScanner::composite() {
    std::uint64_t objects = 0;  // a bit for each level: whether it is an object
    int depth = 0;
    while (m_at < m_end) {
        const char c = *m_at;
        if (c == '"') {
            std::string_view ignored;
            bool escaped = false;
            const Scanned scanned = text(ignored, escaped);
            if (scanned != Scanned::Whole) return scanned;
            continue;
        }
        ++m_at;
        if (c == '{' || c == '[') {
            if (++depth > kMostDepth) return Scanned::Broken;
            objects = (objects << 1U) | (c == '{' ? 1U : 0U);
        } else if (c == '}' || c == ']') {
            if (((objects & 1U) != 0) != (c == '}')) return Scanned::Broken;
            objects >>= 1U;
            if (--depth == 0) return Scanned::Whole;
        }
    }
    return Scanned::Cut;
}

Scanned EventScanner::value(std::string_view& text, bool& quoted, bool& escaped) {
    const char first = peek();
    quoted = escaped = false;
    if (first == '"') {
        quoted = true;
        return this->text(text, escaped);
    }
    const char* const begin = m_at;
    if (first == '{' || first == '[') {
        const Scanned scanned = composite();
        text = {begin, static_cast<std::size_t>(m_at - begin)};
        return scanned;
    }
    while (isWordCharacter(*m_at)) ++m_at;  // stops at the 0 byte of the end
    if (m_at >= m_end) {
        m_at = m_end;
        return Scanned::Cut;
    }
    text = {begin, static_cast<std::size_t>(m_at - begin)};
    return text.empty() ? Scanned::Broken : Scanned::Whole;
}

Scanned EventScanner::member(RawEvent& event, bool inArgs, bool& opensArgs) {
    std::string_view key;
    std::string_view content;
    bool quoted = false;
    bool escaped = false;
    opensArgs = false;
    if (const Scanned scanned = text(key, escaped); scanned != Scanned::Whole) return scanned;
    if (const Scanned scanned = pass(':'); scanned != Scanned::Whole) return scanned;
    if (!inArgs && key == "args" && peek() == '{') {
        ++m_at;
        opensArgs = true;
        return Scanned::Whole;
    }
    if (const Scanned scanned = value(content, quoted, escaped); scanned != Scanned::Whole) return scanned;
    const Field field = fieldOf(key, inArgs);
    if (field == Field::Other) {
        const char first = content.empty() ? '\0' : content.front();
        if (!inArgs || quoted || event.has(field) || !(first == '-' || (first >= '0' && first <= '9')))
            return Scanned::Whole;
    }
    const std::uint64_t bit = RawEvent::bit(field);
    event.values[static_cast<std::size_t>(field)] = content;
    event.present |= bit;
    event.quoted = quoted ? event.quoted | bit : event.quoted & ~bit;
    event.escaped = escaped ? event.escaped | bit : event.escaped & ~bit;
    return Scanned::Whole;
}

Scanned EventScanner::event(RawEvent& event) {
    event.present = event.escaped = event.quoted = 0;
    if (const Scanned scanned = pass('{'); scanned != Scanned::Whole) return scanned;
    bool inArgs = false;
    bool first = true;
    for (;;) {
        const char next = peek();
        if (next == '}') {
            ++m_at;
            if (!inArgs) return Scanned::Whole;
            inArgs = first = false;
            continue;
        }
        if (!first) {
            if (const Scanned scanned = pass(','); scanned != Scanned::Whole) return scanned;
        }
        bool opensArgs = false;
        if (const Scanned scanned = member(event, inArgs, opensArgs); scanned != Scanned::Whole)
            return scanned;
        first = opensArgs;
        if (opensArgs) inArgs = true;
    }
}

std::string unescaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    constexpr std::string_view kShort = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 >= text.size()) {
            out.push_back(text[i]);
            continue;
        }
        const char kind = text[i + 1];
        if (const std::size_t known = kShort.find(kind); known != std::string_view::npos) {
            out.push_back(kMeant[known]);
            ++i;
            continue;
        }
        int code = kind == 'u' ? hexDigits(text.substr(i + 2)) : -1;
        if (code < 0) {
            out.push_back('\\');  // of a path of Windows, say
            continue;
        }
        i += 5;
        if (code >= 0xD800 && code < 0xDC00 && text.substr(i + 1, 2) == "\\u") {
            const int low = hexDigits(text.substr(i + 3));
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i += 6;
            }
        }
        appendUtf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFDU : static_cast<unsigned>(code));
    }
    return out;
}

}  // namespace plumb::trace
