// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy_header.h"

#include "core/io/file.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

namespace plumb {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// NumPy's own limit is 10,000 for files that are not trusted; structured types are refused anyhow.
constexpr std::size_t kMostNpyHeaderBytes = 65536;
constexpr const char* kSaveAgain = "write it with numpy.save(path, array.astype('float32'))";

/// The subset of Python literals that numpy.save() writes.
class DictionaryParser {
public:
    explicit DictionaryParser(std::string_view text) : m_text(text) {}

    /// Empty when the text is anything else than the dictionary of a .npy header.
    std::optional<NpyHeader> parse() {
        NpyHeader header;
        bool haveDescr = false, haveOrder = false, haveShape = false;
        if (!take('{')) return {};
        while (!take('}')) {
            const auto key = string();
            if (!key || !take(':')) return {};
            bool ok = false;
            if (*key == "descr")
                ok = !std::exchange(haveDescr, true) && descr(header.descr);
            else if (*key == "fortran_order")
                ok = !std::exchange(haveOrder, true) && boolean(header.fortranOrder);
            else if (*key == "shape")
                ok = !std::exchange(haveShape, true) && shape(header.shape);
            if (!ok || (!take(',') && !peek('}'))) return {};
        }
        skipBlanks();
        if (!m_text.empty() || !haveDescr || !haveOrder || !haveShape) return {};
        return header;
    }

private:
    void skipBlanks() {
        while (!m_text.empty() &&
               (m_text[0] == ' ' || m_text[0] == '\n' || m_text[0] == '\t' || m_text[0] == '\r'))
            m_text.remove_prefix(1);
    }
    bool peek(char wanted) {
        skipBlanks();
        return !m_text.empty() && m_text[0] == wanted;
    }
    bool take(char wanted) {
        if (!peek(wanted)) return false;
        m_text.remove_prefix(1);
        return true;
    }
    bool takeWord(std::string_view word) {
        skipBlanks();
        if (!m_text.starts_with(word)) return false;
        m_text.remove_prefix(word.size());
        return true;
    }
    std::optional<std::string> string() {
        skipBlanks();
        if (m_text.empty() || (m_text[0] != '\'' && m_text[0] != '"')) return {};
        const std::size_t end = m_text.find(m_text[0], 1);
        if (end == std::string_view::npos) return {};
        std::string value(m_text.substr(1, end - 1));
        m_text.remove_prefix(end + 1);
        return value;
    }
    bool descr(std::string& value) {
        if (peek('[') || peek('(') || peek('{')) {
            value = "structured";
            return skipBrackets();
        }
        auto text = string();
        if (text) value = std::move(*text);
        return text.has_value();
    }
    bool skipBrackets() {
        int depth = 0;
        while (!m_text.empty()) {
            const char next = m_text[0];
            if (next == '\'' || next == '"') {
                if (!string()) return false;
                continue;
            }
            depth += (next == '[' || next == '(' || next == '{') ? 1 : 0;
            depth -= (next == ']' || next == ')' || next == '}') ? 1 : 0;
            m_text.remove_prefix(1);
            if (depth == 0) return true;
        }
        return false;
    }
    bool boolean(bool& value) {
        value = takeWord("True");
        return value || takeWord("False");
    }
    bool shape(std::vector<std::int64_t>& value) {
        if (!take('(')) return false;
        while (!take(')')) {
            skipBlanks();
            std::int64_t size = 0;
            const auto [end, problem] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), size);
            if (problem != std::errc{} || size < 0 || value.size() >= 32) return false;
            m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
            if (!m_text.empty() && m_text[0] == 'L')  // long integers, as Python 2 wrote them
                m_text.remove_prefix(1);
            value.push_back(size);
            if (!take(',') && !peek(')')) return false;
        }
        return true;
    }

    std::string_view m_text;
};

Error badHeader(const std::string& path, const std::string& what) { return badFile(path, what, kSaveAgain); }

}  // namespace

Result<NpyHeader> parseNpyHeader(std::span<const std::byte> file, const std::string& path) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (text.empty()) return badHeader(path, "is empty, not a .npy file");
    if (!kMagic.starts_with(text.substr(0, kMagic.size())))
        return badHeader(path, "is not a .npy file (its first bytes are not \\x93NUMPY)");
    const std::string truncated = "ends within its .npy header (" + std::to_string(text.size()) + " bytes)";
    if (text.size() < kMagic.size() + 2) return badHeader(path, truncated);

    const auto byteAt = [&](std::size_t at) { return static_cast<std::size_t>(file[at]); };
    const std::size_t major = byteAt(6), minor = byteAt(7);
    if (major < 1 || major > 3 || minor != 0)
        return badHeader(path, "is of .npy format " + std::to_string(major) + "." + std::to_string(minor) +
                                   ", and 1.0 to 3.0 are known");
    const std::size_t lengthBytes = major == 1 ? 2 : 4;
    if (text.size() < 8 + lengthBytes) return badHeader(path, truncated);
    std::size_t length = 0;
    for (std::size_t i = 0; i < lengthBytes; ++i) length |= byteAt(8 + i) << (8 * i);
    if (length > kMostNpyHeaderBytes)
        return badHeader(path, "claims a .npy header of " + std::to_string(length) + " bytes, and at most " +
                                   std::to_string(kMostNpyHeaderBytes) + " are read");
    const std::size_t begin = 8 + lengthBytes;
    if (text.size() < begin + length) return badHeader(path, truncated);

    auto header = DictionaryParser(text.substr(begin, length)).parse();
    if (!header)
        return badHeader(path,
                         "has a .npy header that is not a dictionary of descr, fortran_order and shape");
    header->dataOffset = begin + length;
    return std::move(*header);
}

}  // namespace plumb
