// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/pickle_reader.h"

#include "core/base/plain_text.h"
#include "core/io/file_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace plumb {

namespace {

constexpr std::size_t kLongestOpcode = 16;
constexpr std::size_t kMostText = std::size_t{16} << 20U;
constexpr std::size_t kMostMarks = 100;
constexpr std::size_t kSpare = std::size_t{512} << 20U;

/// Opcodes of CPython's pickle, by the byte that they are.
enum Opcode : std::uint8_t {
    kMark = '(',
    kStop = '.',
    kBinInt = 'J',
    kBinInt1 = 'K',
    kBinInt2 = 'M',
    kNone = 'N',
    kBinFloat = 'G',
    kBinUnicode = 'X',
    kBinBytes = 'B',
    kShortBinBytes = 'C',
    kAppend = 'a',
    kAppends = 'e',
    kDict = 'd',
    kEmptyDict = '}',
    kGet1 = 'h',
    kGet4 = 'j',
    kList = 'l',
    kEmptyList = ']',
    kPut1 = 'q',
    kPut4 = 'r',
    kSetItem = 's',
    kTuple = 't',
    kEmptyTuple = ')',
    kSetItems = 'u',
    kGlobal = 'c',
    kProto = 0x80,
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kLong1 = 0x8a,
    kLong4 = 0x8b,
    kShortBinUnicode = 0x8c,
    kBinUnicode8 = 0x8d,
    kBinBytes8 = 0x8e,
    kEmptySet = 0x8f,
    kAddItems = 0x90,
    kStackGlobal = 0x93,
    kMemoize = 0x94,
    kFrame = 0x95,
};

/// Those that are refused, for the message.
constexpr std::array kRefused{std::pair{'c', "GLOBAL"},
                              std::pair{'R', "REDUCE"},
                              std::pair{'b', "BUILD"},
                              std::pair{'i', "INST"},
                              std::pair{'o', "OBJ"},
                              std::pair{'P', "PERSID"},
                              std::pair{'Q', "BINPERSID"},
                              std::pair{'\x81', "NEWOBJ"},
                              std::pair{'\x92', "NEWOBJ_EX"},
                              std::pair{'\x93', "STACK_GLOBAL"},
                              std::pair{'\x82', "EXT1"},
                              std::pair{'\x83', "EXT2"},
                              std::pair{'\x84', "EXT4"},
                              std::pair{'\x91', "FROZENSET"},
                              std::pair{'\x96', "BYTEARRAY8"},
                              std::pair{'\x97', "NEXT_BUFFER"},
                              std::pair{'\x98', "READONLY_BUFFER"},
                              std::pair{'0', "POP"},
                              std::pair{'1', "POP_MARK"},
                              std::pair{'2', "DUP"},
                              std::pair{'I', "INT"},
                              std::pair{'L', "LONG"},
                              std::pair{'F', "FLOAT"},
                              std::pair{'S', "STRING"},
                              std::pair{'T', "BINSTRING"},
                              std::pair{'U', "SHORT_BINSTRING"},
                              std::pair{'V', "UNICODE"},
                              std::pair{'g', "GET"},
                              std::pair{'p', "PUT"}};

}  // namespace

bool isPickle(std::string_view start) {
    return start.size() >= 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
}

PickleReader::PickleReader(const ReadableFile& file, SnapshotBuilder& builder,
                           const MemorySnapshotOptions& options)
    : m_file(file),
      m_builder(builder),
      m_options(options),
      m_mostBytes(options.mostBytes != 0 ? options.mostBytes
                                         : kSpare + static_cast<std::size_t>(file.size())),
      m_window(file) {}

bool PickleReader::fail(std::string what) {
    if (!m_error)
        m_error = badInput(fmt::format("byte {} of {} {}", m_opcodeAt, m_file.path(), what),
                           "take the snapshot again with torch.cuda.memory._dump_snapshot()");
    return false;
}

bool PickleReader::failEarlyEnd() {
    if (!m_error)
        m_error = badInput(fmt::format("{} ends early, after {} bytes", m_file.path(), m_file.size()),
                           "copy it once more, or take the snapshot again");
    return false;
}

bool PickleReader::refuse(std::uint8_t opcode) {
    const auto* const known = std::ranges::find_if(
        kRefused, [&](const auto& one) { return static_cast<std::uint8_t>(one.first) == opcode; });
    if (known == kRefused.end()) return fail(fmt::format("is 0x{:02x}, which no pickle has", opcode));
    std::string name;
    if (opcode == kGlobal) {
        const std::string_view rest = m_window.available().substr(0, 200);
        const auto line = rest.find('\n');
        name = std::string(rest.substr(0, line));
        if (line != std::string_view::npos)
            name += "." + std::string(rest.substr(line + 1, rest.find('\n', line + 1) - line - 1));
    } else if (opcode == kStackGlobal && m_stack.size() >= 2) {
        name = std::string(m_builder.values().textOf(m_stack[m_stack.size() - 2]).substr(0, 100)) + "." +
               std::string(m_builder.values().textOf(m_stack.back()).substr(0, 100));
    }
    if (!m_error)
        m_error = badInput(
            fmt::format("byte {} of {} is the opcode {}{}, which a memory snapshot never has and which is "
                        "not executed",
                        m_opcodeAt, m_file.path(), known->second,
                        name.empty() ? "" : " (" + plainLine(name, 120) + ")"),
            "do not load this file with Python unless you trust where it comes from");
    return false;
}

bool PickleReader::refill(std::size_t count) {
    if (m_options.stop.stop_requested()) {
        m_error = Error{ErrorCode::RunFailed, fmt::format("reading {} was cancelled", m_file.path()),
                        "open it again"};
        return false;
    }
    if (const auto filled = m_window.refill(count); !filled.has_value()) {
        m_error = filled.error();
        return false;
    }
    if (m_options.onProgress) m_options.onProgress(m_window.seen(), m_file.size());
    return checkMemory();
}

bool PickleReader::checkMemory() {
    const std::size_t bytes = m_builder.bytes() + m_stack.capacity() * sizeof(PickleValue) + m_memo.bytes();
    if (bytes <= m_mostBytes) return true;
    if (!m_error)
        m_error = Error{
            ErrorCode::OutOfMemory,
            fmt::format("{} needs more than the {} of memory that reading it may take (at byte {})",
                        m_file.path(), bytesText(static_cast<double>(m_mostBytes)), m_window.position()),
            "check that PyTorch wrote this file"};
    return false;
}

bool PickleReader::take(std::size_t count, const char*& bytes) {
    if (!m_window.holds(count)) {
        if (m_window.left() < count) return failEarlyEnd();
        if (!refill(count)) return false;
    }
    bytes = m_window.take(count);
    return true;
}

bool PickleReader::takeNumber(std::size_t bytes, std::uint64_t& number) {
    const char* from = nullptr;
    if (!take(bytes, from)) return false;
    number = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        number |= std::uint64_t{static_cast<std::uint8_t>(from[i])} << 8 * i;  // little-endian
    return true;
}

bool PickleReader::pushText(std::size_t lengthBytes) {
    std::uint64_t length = 0;
    if (!takeNumber(lengthBytes, length)) return false;
    const std::uint64_t left = m_window.left();
    if (length > left) return fail(fmt::format("declares a text of {} bytes, but {} are left", length, left));
    if (length > kMostText)
        return fail(
            fmt::format("declares a text of {} bytes; the longest that is read is {}", length, kMostText));
    const char* bytes = nullptr;
    if (!take(static_cast<std::size_t>(length), bytes)) return false;
    m_stack.push_back(m_builder.values().text({bytes, static_cast<std::size_t>(length)}));
    return true;
}

bool PickleReader::pushLong(std::size_t lengthBytes) {
    std::uint64_t length = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    if (!takeNumber(lengthBytes, length)) return false;
    // Nine bytes are those of an address above 2^63.
    if (length > 9) return fail(fmt::format("is a whole number of {} bytes; at most 9 are read", length));
    const std::size_t lows = std::min<std::size_t>(length, 8);
    if (!takeNumber(lows, low)) return false;
    if (length == 9) {
        if (!takeNumber(1, high)) return false;
        if (high != 0) return fail("is a whole number beyond 64 bits");
    }
    if (lows > 0 && lows < 8 && (low >> (8 * lows - 1) & 1U) != 0) low |= ~std::uint64_t{0} << 8 * lows;
    m_stack.push_back(m_builder.values().integer(static_cast<std::int64_t>(low)));
    return true;
}

bool PickleReader::pushNumber(std::uint8_t opcode) {
    std::uint64_t number = 0;
    if (opcode == kBinFloat) {
        const char* bytes = nullptr;
        if (!take(8, bytes)) return false;
        for (int i = 0; i < 8; ++i)
            number = number << 8U | static_cast<std::uint8_t>(bytes[i]);  // big-endian
        m_stack.push_back(m_builder.values().real(std::bit_cast<double>(number)));
        return true;
    }
    if (!takeNumber(opcode == kBinInt ? 4 : opcode == kBinInt2 ? 2 : 1, number)) return false;
    const std::int64_t value = opcode == kBinInt
                                   ? static_cast<std::int32_t>(static_cast<std::uint32_t>(number))
                                   : static_cast<std::int64_t>(number);
    m_stack.push_back(PickleValue::integer(value));
    return true;
}

bool PickleReader::needStack(std::size_t count) {
    const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
    return m_stack.size() >= floor + count || fail("takes a value where there is none");
}

bool PickleReader::pushTuple(std::size_t count) {
    if (!needStack(count)) return false;
    const PickleValue tuple = m_builder.values().tuple(std::span(m_stack).last(count));
    m_stack.resize(m_stack.size() - count);
    m_stack.push_back(tuple);
    return true;
}

bool PickleReader::memoize(std::uint64_t number) {
    if (!needStack(1)) return false;
    // Writers number what they note in its order: anything else asks for memory that the file does not need.
    if (number > m_memo.size())
        return fail(
            fmt::format("notes a value as number {}, but only {} have been noted", number, m_memo.size()));
    if (number == m_memo.size())
        m_memo.push(m_stack.back());
    else
        m_memo[static_cast<std::size_t>(number)] = m_stack.back();
    return true;
}

bool PickleReader::recall(std::uint64_t number) {
    if (number >= m_memo.size())
        return fail(fmt::format("refers to value {}, but only {} have been noted", number, m_memo.size()));
    m_stack.push_back(m_memo[static_cast<std::size_t>(number)]);
    return true;
}

bool PickleReader::mark() {
    if (m_marks.size() >= kMostMarks) return fail(fmt::format("nests deeper than {} marks", kMostMarks));
    m_marks.push_back(m_stack.size());
    return true;
}

bool PickleReader::popMark(std::size_t& begin) {
    if (m_marks.empty()) return fail("ends a stretch that has no beginning");
    begin = m_marks.back();
    m_marks.pop_back();
    return true;
}

/// The opcodes that put values of the stack into a container, or make one of them.
bool PickleReader::collect(std::uint8_t opcode) {
    const bool makes = opcode == kDict || opcode == kList || opcode == kTuple;
    const bool isOne = opcode == kAppend || opcode == kSetItem;
    const bool isDict = opcode == kDict || opcode == kSetItem || opcode == kSetItems;
    std::size_t begin = 0;
    if (isOne) {
        const std::size_t count = isDict ? 2 : 1;
        if (!needStack(count + 1)) return false;
        begin = m_stack.size() - count;
    } else if (!popMark(begin)) {
        return false;
    }
    const auto items = std::span(m_stack).subspan(begin);
    if (isDict && items.size() % 2 != 0) return fail("gives a dict a key without a value");
    PickleValue target;
    if (opcode == kTuple) {
        target = m_builder.values().tuple(items);
    } else if (makes) {
        target = isDict ? m_builder.emptyDict() : m_builder.emptyList();
    } else {
        const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
        if (begin <= floor) return fail("takes a value where there is none");
        target = m_stack[begin - 1];
    }
    if (opcode != kTuple && !(isDict ? m_builder.setItems(target, items) : m_builder.append(target, items)))
        return fail(isDict ? "puts keys into what is no dict" : "puts values into what is no list");
    m_stack.resize(begin);
    if (makes) m_stack.push_back(target);
    // One value at a time makes a list of frames anew each time, which can outgrow the file.
    return !isOne || checkMemory();
}

bool PickleReader::frame() {
    std::uint64_t length = 0;
    if (!takeNumber(8, length)) return false;
    const std::uint64_t left = m_window.left();
    if (length > left)
        return fail(fmt::format("declares a frame of {} bytes, but {} are left", length, left));
    return true;
}

bool PickleReader::step(bool& isDone) {
    if (!m_window.holds(kLongestOpcode) && m_window.seen() < m_file.size() && !refill(kLongestOpcode))
        return false;
    m_opcodeAt = m_window.position();
    const char* byte = nullptr;
    if (!take(1, byte)) return false;
    const auto opcode = static_cast<std::uint8_t>(*byte);
    std::uint64_t number = 0;
    switch (opcode) {
    case kGet1:
        return takeNumber(1, number) && recall(number);
    case kGet4:
        return takeNumber(4, number) && recall(number);
    case kMemoize:
        return memoize(m_memo.size());
    case kPut1:
        return takeNumber(1, number) && memoize(number);
    case kPut4:
        return takeNumber(4, number) && memoize(number);
    case kMark:
        return mark();
    case kBinInt:
    case kBinInt1:
    case kBinInt2:
    case kBinFloat:
        return pushNumber(opcode);
    case kLong1:
        return pushLong(1);
    case kLong4:
        return pushLong(4);
    case kSetItem:
    case kSetItems:
    case kAppend:
    case kAppends:
    case kAddItems:
    case kDict:
    case kList:
    case kTuple:
        return collect(opcode);
    case kEmptyDict:
        m_stack.push_back(m_builder.emptyDict());
        return true;
    case kEmptySet:  // is read as a list
    case kEmptyList:
        m_stack.push_back(m_builder.emptyList());
        return true;
    case kEmptyTuple:
        return pushTuple(0);
    case kTuple1:
    case kTuple2:
    case kTuple3:
        return pushTuple(opcode - kTuple1 + 1);
    case kNone:
        m_stack.emplace_back();
        return true;
    case kNewTrue:
        m_stack.emplace_back(PickleValue::Kind::True, 0);
        return true;
    case kNewFalse:
        m_stack.emplace_back(PickleValue::Kind::False, 0);
        return true;
    case kShortBinUnicode:
    case kShortBinBytes:
        return pushText(1);
    case kBinUnicode:
    case kBinBytes:
        return pushText(4);
    case kBinUnicode8:
    case kBinBytes8:
        return pushText(8);
    case kFrame:
        return frame();
    case kStop:
        isDone = true;
        return true;
    default:
        return refuse(opcode);
    }
}

bool PickleReader::startsWithProtocol() {
    const char* start = nullptr;
    if (m_file.size() >= 2 && !take(2, start)) return false;
    if (start != nullptr && isPickle({start, 2})) {
        m_protocol = start[1];
        return true;
    }
    const bool isNewer = start != nullptr && start[0] == '\x80' && start[1] > 5;
    m_error =
        badInput(isNewer ? fmt::format("{} is a pickle of protocol {}", m_file.path(), int{start[1]})
                         : fmt::format("{} is no pickle", m_file.path()),
                 "open a file that torch.cuda.memory._dump_snapshot() wrote; the protocols 2 to 5 are read");
    return false;
}

Result<PickleValue> PickleReader::read() {
    bool isDone = false;
    if (!startsWithProtocol()) return *m_error;
    while (!isDone)
        if (!step(isDone)) return *m_error;
    if (!m_marks.empty() || m_stack.size() != 1) {
        (void)fail("ends the pickle, but values are left over");
        return *m_error;
    }
    if (!checkMemory()) return *m_error;
    return m_stack.back();
}

Result<MemorySnapshot> readMemorySnapshot(const std::string& path, const MemorySnapshotOptions& options) {
    PLUMB_TRY(const ReadableFile file, ReadableFile::open(path));
    SnapshotBuilder builder;
    int protocol = 0;
    std::uint64_t behind = 0;
    PickleValue whole;
    {
        PickleReader reader(file, builder, options);
        PLUMB_TRY(whole, reader.read());
        protocol = reader.protocol();
        behind = reader.bytesBehindEnd();
    }
    auto snapshot = builder.finish(whole);
    if (!snapshot.has_value()) return badInput(path + " " + snapshot.error().message, snapshot.error().hint);
    snapshot->protocol = protocol;
    if (behind > 0)
        snapshot->findings.count(MemoryFinding::BytesBehindEnd, static_cast<std::int64_t>(behind));
    snapshot->findings.count(MemoryFinding::GrownBytes, static_cast<std::int64_t>(grownBytes(file)));
    return snapshot;
}

}  // namespace plumb
