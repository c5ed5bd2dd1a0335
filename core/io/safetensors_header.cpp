// SPDX-License-Identifier: Apache-2.0
#include "core/io/safetensors_header.h"

#include "core/base/quantity.h"
#include "core/io/json_fields.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace plumb {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostHeaderBytes = 100'000'000;  // the reference's limit
constexpr std::size_t kMostDimensions = 64;              // NumPy's limit
constexpr const char* kMetadataKey = "__metadata__";
constexpr const char* kRemedy = "copy or write it again";

struct NamedBits {
    std::string_view name;
    int bits;
};
constexpr std::array kDtypes{
    NamedBits{"F64", 64},        NamedBits{"F32", 32},    NamedBits{"F16", 16},
    NamedBits{"BF16", 16},       NamedBits{"F8_E4M3", 8}, NamedBits{"F8_E5M2", 8},
    NamedBits{"F8_E8M0", 8},     NamedBits{"F6_E2M3", 6}, NamedBits{"F6_E3M2", 6},
    NamedBits{"F4", 4},          NamedBits{"I64", 64},    NamedBits{"I32", 32},
    NamedBits{"I16", 16},        NamedBits{"I8", 8},      NamedBits{"U64", 64},
    NamedBits{"U32", 32},        NamedBits{"U16", 16},    NamedBits{"U8", 8},
    NamedBits{"BOOL", 8},        NamedBits{"C64", 64},    NamedBits{"F8_E4M3FNUZ", 8},
    NamedBits{"F8_E5M2FNUZ", 8},
};

/// Takes the header's JSON in one pass, without a document in memory: a hostile header of 100 MB would make
/// one of gigabytes. The first thing out of place ends it.
class HeaderReader final : public nlohmann::json_sax<json> {
public:
    HeaderReader(std::string_view text, std::string what) : m_text(text), m_what(std::move(what)) {}

    Result<SafetensorsHeader> read() {
        // The parser takes a zero for the end of the text and would pass over what follows.
        if (const std::size_t zero = m_text.find('\0'); zero != std::string_view::npos)
            fail("is not JSON (at byte " + std::to_string(zero + 1) + ")");
        if (m_error) return *m_error;
        if (json::sax_parse(m_text, this) && m_place == Place::After) return std::move(m_header);
        if (!m_error) fail("is not a list of tensors");
        return *m_error;
    }

    bool null() override { return unexpected(); }
    bool boolean(bool) override { return unexpected(); }
    bool number_integer(number_integer_t) override { return fail("holds a negative number in " + where()); }
    bool number_float(number_float_t, const string_t&) override { return unexpected(); }
    bool binary(binary_t&) override { return unexpected(); }
    bool number_unsigned(number_unsigned_t value) override {
        if (m_place == Place::Offsets) {
            if (m_offsets == 2) return fail("holds more than two data_offsets in " + where());
            (m_offsets++ == 0 ? m_entry.begin : m_entry.end) = value;
            return true;
        }
        if (m_place != Place::Shape) return unexpected();
        if (value > static_cast<std::uint64_t>(INT64_MAX))
            return fail("holds a size beyond 63 bits in " + where());
        if (m_entry.shape.size() == kMostDimensions)
            return fail("has more than " + std::to_string(kMostDimensions) + " dimensions in " + where());
        m_entry.shape.push_back(static_cast<std::int64_t>(value));
        return true;
    }
    bool string(string_t& value) override {
        if (m_place == Place::Metadata) {
            if (!m_header.metadata.emplace(m_key, std::move(value)).second)
                return fail("holds the metadata " + shownName(m_key) + " twice");
            return true;
        }
        if (m_place != Place::Tensor || m_key != "dtype") return unexpected();
        m_entry.dtype = std::move(value);
        return true;
    }
    bool key(string_t& value) override {
        m_key = std::move(value);
        if (m_place != Place::Tensor) return true;
        bool* const seen = m_key == "dtype"          ? &m_hasDtype
                           : m_key == "shape"        ? &m_hasShape
                           : m_key == "data_offsets" ? &m_hasOffsets
                                                     : nullptr;
        if (seen == nullptr) return fail("holds the unknown field " + shownName(m_key) + " in " + where());
        if (std::exchange(*seen, true)) return fail("holds " + m_key + " twice in " + where());
        return true;
    }
    bool start_object(std::size_t) override {
        if (m_place == Place::Before) {
            m_place = Place::Root;
            return true;
        }
        if (m_place != Place::Root) return unexpected();
        if (m_key == kMetadataKey) {
            if (std::exchange(m_hasMetadata, true)) return fail("holds __metadata__ twice");
            m_place = Place::Metadata;
            return true;
        }
        m_place = Place::Tensor;
        m_entry = SafetensorsEntry{};
        m_entry.name = m_key;
        m_hasDtype = m_hasShape = m_hasOffsets = false;
        m_offsets = 0;
        return true;
    }
    bool end_object() override {
        if (m_place == Place::Tensor) {
            if (!m_hasDtype || !m_hasShape || !m_hasOffsets)
                return fail("lacks dtype, shape or data_offsets in " + where());
            m_header.tensors.push_back(std::move(m_entry));
        }
        m_place = m_place == Place::Root ? Place::After : Place::Root;
        return true;
    }
    bool start_array(std::size_t) override {
        if (m_place != Place::Tensor || m_key == "dtype") return unexpected();
        m_place = m_key == "shape" ? Place::Shape : Place::Offsets;
        return true;
    }
    bool end_array() override {
        if (m_place == Place::Offsets && m_offsets != 2)
            return fail("holds fewer than two data_offsets in " + where());
        m_place = Place::Tensor;
        return true;
    }
    bool parse_error(std::size_t byte, const std::string&, const json::exception& problem) override {
        m_error = jsonError(problem, byte, m_text.size(), m_what);
        m_error->hint = kRemedy;
        return false;
    }

private:
    enum class Place : std::uint8_t { Before, Root, Metadata, Tensor, Shape, Offsets, After };

    [[nodiscard]] std::string where() const {
        if (m_place == Place::Metadata) return "__metadata__";
        return m_place == Place::Root ? shownName(m_key) : "the tensor " + shownName(m_entry.name);
    }
    bool fail(const std::string& problem) {
        m_error = Error{ErrorCode::BadInput, m_what + " " + problem, kRemedy};
        return false;
    }
    bool unexpected() {
        if (m_place == Place::Before || m_place == Place::After) return fail("is not a list of tensors");
        return fail("holds a value that does not belong there in " + where());
    }

    std::string_view m_text;
    std::string m_what;
    std::optional<Error> m_error;
    SafetensorsHeader m_header;
    Place m_place = Place::Before;
    std::string m_key;
    SafetensorsEntry m_entry;
    int m_offsets = 0;
    bool m_hasDtype = false, m_hasShape = false, m_hasOffsets = false, m_hasMetadata = false;
};

/// Empty when the tensors cover `dataBytes` exactly once; else what is wrong.
std::string problemOfTensors(SafetensorsHeader& header, std::uint64_t dataBytes) {
    for (const SafetensorsEntry& entry : header.tensors) {
        const int bits = safetensorsDtypeBits(entry.dtype);
        if (bits == 0)
            return "has the unknown dtype " + shownName(entry.dtype) + " in " + shownName(entry.name);
        if (entry.begin > entry.end || entry.end > dataBytes)
            return "says that " + shownName(entry.name) + " lies at bytes " + std::to_string(entry.begin) +
                   " to " + std::to_string(entry.end) + " of its data, and there are " +
                   std::to_string(dataBytes);
        const auto needed = safetensorsBytes(entry.shape, bits);
        if (!needed)
            return "gives " + shownName(entry.name) + " a shape of more than 63 bits or of broken bytes";
        if (*needed != entry.end - entry.begin)
            return "gives " + shownName(entry.name) + " " + std::to_string(entry.end - entry.begin) +
                   " bytes, and its shape and dtype ask for " + std::to_string(*needed);
    }
    std::sort(header.tensors.begin(), header.tensors.end(), [](const auto& a, const auto& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::uint64_t covered = 0;
    for (const SafetensorsEntry& entry : header.tensors) {
        if (entry.begin != covered)
            return (entry.begin < covered ? "has overlapping data before "
                                          : "has a hole in its data before ") +
                   shownName(entry.name);
        covered = entry.end;
    }
    if (covered != dataBytes)
        return "has " + std::to_string(dataBytes - covered) + " bytes of data that belong to no tensor";
    std::vector<std::string_view> names;
    names.reserve(header.tensors.size());
    for (const SafetensorsEntry& entry : header.tensors) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    const auto twin = std::adjacent_find(names.begin(), names.end());
    return twin == names.end() ? "" : "holds two tensors of the name " + shownName(std::string(*twin));
}

/// Pre: `start` has 8 bytes.
std::uint64_t headerLength(std::span<const std::byte> start) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < kSafetensorsLengthBytes; ++i)
        length |= static_cast<std::uint64_t>(start[i]) << (8 * i);
    return length;
}

}  // namespace

std::string shownName(const std::string& name) {
    constexpr std::size_t kShown = 60;
    const json text = name.size() <= kShown ? name : name.substr(0, kShown) + "...";
    return text.dump(-1, ' ', true, json::error_handler_t::replace);
}

std::optional<std::uint64_t> safetensorsBytes(std::span<const std::int64_t> shape, int bits) {
    std::int64_t product = bits;
    for (const std::int64_t size : shape) product = mulOrOverflow(product, size);
    if (product < 0 || product % 8 != 0) return std::nullopt;
    return static_cast<std::uint64_t>(product) / 8;
}

int safetensorsDtypeBits(std::string_view dtype) {
    for (const NamedBits& known : kDtypes)
        if (known.name == dtype) return known.bits;
    return 0;
}

std::uint64_t safetensorsHeaderBytes(std::span<const std::byte> start) {
    return kSafetensorsLengthBytes + std::min<std::uint64_t>(headerLength(start), kMostHeaderBytes);
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::byte> start, std::uint64_t fileBytes,
                                                 const std::string& path) {
    const auto bad = [&](const std::string& what, const char* remedy = kRemedy) {
        return Error{ErrorCode::BadInput, path + " " + what, remedy};
    };
    if (fileBytes == 0) return bad("is empty, not a .safetensors file");
    if (fileBytes < kSafetensorsLengthBytes)
        return bad("is truncated: it ends within the length of its header (" + std::to_string(fileBytes) +
                   " bytes)");
    const std::uint64_t length = headerLength(start);
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    // Any other file has some eight bytes there, which as a length are far too much or lead to no brace.
    if (length > kMostHeaderBytes)
        return bad("is not a .safetensors file, or has a header of " + std::to_string(length) +
                       " bytes, and at most " + std::to_string(kMostHeaderBytes) + " are read",
                   "check that this is the right file");
    if (text.size() > kSafetensorsLengthBytes && length > 0 && text[kSafetensorsLengthBytes] != '{')
        return bad("is not a .safetensors file (its header does not begin with a brace)",
                   "check that this is the right file");
    if (length > fileBytes - kSafetensorsLengthBytes)
        return bad("is truncated: its header has " + std::to_string(length) + " bytes and " +
                   std::to_string(fileBytes - kSafetensorsLengthBytes) + " are there");

    PLUMB_TRY(SafetensorsHeader header,
              HeaderReader(text.substr(kSafetensorsLengthBytes, static_cast<std::size_t>(length)),
                           "the header of " + path)
                  .read());
    header.dataOffset = kSafetensorsLengthBytes + static_cast<std::size_t>(length);
    const std::string problem = problemOfTensors(header, fileBytes - header.dataOffset);
    if (!problem.empty()) return bad(problem);
    return header;
}

}  // namespace plumb
