// SPDX-License-Identifier: Apache-2.0
#include "core/io/safetensors.h"

#include "core/io/json_fields.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <exception>
#include <set>
#include <utility>

namespace plumb {

static_assert(std::endian::native == std::endian::little, "tensors are copied as they lie in the file");

namespace {

constexpr std::size_t kAlignment = 8;  // of the first data byte, as the reference writes it

Result<void> checkTensors(const std::vector<SafetensorsTensor>& tensors, const std::string& path) {
    std::set<std::string_view> names;
    for (const SafetensorsTensor& tensor : tensors) {
        if (tensor.name == "__metadata__" || !names.insert(tensor.name).second)
            return Error{ErrorCode::BadInput,
                         "cannot write " + path + " (the tensor name " + tensor.name + " is taken)",
                         "give every tensor a name of its own"};
        if (safetensorsBytes(tensor.shape, static_cast<int>(dtypeBits(tensor.dtype))) != tensor.bytes.size())
            return Error{ErrorCode::BadInput,
                         "cannot write " + path + " (" + tensor.name + " has " +
                             std::to_string(tensor.bytes.size()) + " bytes, not those of its shape)",
                         "give as many bytes as its shape and format take"};
    }
    return {};
}

/// Length and JSON, padded with blanks up to the first data byte.
std::string headerText(const std::vector<const SafetensorsTensor*>& ordered,
                       const std::map<std::string, std::string>& metadata) {
    const auto quoted = [](const std::string& name) { return dumpJson(nlohmann::json(name)); };
    std::string text = "{";
    if (!metadata.empty()) text += "\"__metadata__\":" + dumpJson(nlohmann::json(metadata));
    std::uint64_t offset = 0;
    // Written by hand, because a JSON object would sort the names and the reference writes them in the order
    // of the data.
    for (const SafetensorsTensor* tensor : ordered) {
        const std::uint64_t end = offset + tensor->bytes.size();
        if (text.size() > 1) text += ',';
        text += quoted(tensor->name) + R"(:{"dtype":")" + std::string(safetensorsDtype(tensor->dtype)) +
                R"(","shape":)" + dumpJson(nlohmann::json(tensor->shape)) + R"(,"data_offsets":[)" +
                std::to_string(offset) + "," + std::to_string(end) + "]}";
        offset = end;
    }
    text += '}';
    text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
    std::string header;
    for (std::size_t i = 0; i < kSafetensorsLengthBytes; ++i)
        header += static_cast<char>((text.size() >> (8 * i)) & 0xffU);
    return header + text;
}

}  // namespace

std::string_view safetensorsDtype(Dtype dtype) {
    switch (dtype) {
    case Dtype::Fp64:
        return "F64";
    case Dtype::Fp32:
    case Dtype::Tf32:
        return "F32";
    case Dtype::Bf16:
        return "BF16";
    case Dtype::Fp16:
        return "F16";
    case Dtype::Fp8E4M3:
        return "F8_E4M3";
    case Dtype::Fp8E5M2:
        return "F8_E5M2";
    case Dtype::Fp4E2M1:
        return "F4";
    }
    return {};
}

SafetensorsFile::SafetensorsFile(ReadableFile file, SafetensorsHeader header)
    : m_file(std::move(file)), m_header(std::move(header)) {
    m_byName.resize(m_header.tensors.size());
    std::iota(m_byName.begin(), m_byName.end(), 0U);
    std::sort(m_byName.begin(), m_byName.end(), [&](std::uint32_t a, std::uint32_t b) {
        return m_header.tensors[a].name < m_header.tensors[b].name;
    });
}

Result<SafetensorsFile> SafetensorsFile::open(const std::string& path) {
    PLUMB_TRY(ReadableFile file, ReadableFile::open(path));
    std::vector<std::byte> start(
        static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), kSafetensorsLengthBytes)));
    PLUMB_CHECK(file.read(0, start));
    if (start.size() == kSafetensorsLengthBytes) {
        const std::uint64_t header = std::min(safetensorsHeaderBytes(start), file.size());
        start.resize(static_cast<std::size_t>(header));
        PLUMB_CHECK(file.read(0, start));
    }
    PLUMB_TRY(SafetensorsHeader header, parseSafetensorsHeader(start, file.size(), path));
    return SafetensorsFile(std::move(file), std::move(header));
}

const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
    const auto found = std::lower_bound(
        m_byName.begin(), m_byName.end(), name,
        [&](std::uint32_t index, std::string_view wanted) { return m_header.tensors[index].name < wanted; });
    if (found == m_byName.end() || m_header.tensors[*found].name != name) return nullptr;
    return &m_header.tensors[*found];
}

Result<std::vector<std::byte>> SafetensorsFile::bytes(const SafetensorsEntry& entry) const {
    std::vector<std::byte> content;
    try {
        content.resize(static_cast<std::size_t>(entry.end - entry.begin));
    } catch (const std::exception&) {
        return Error{ErrorCode::OutOfMemory,
                     "there is no memory to read " + shownName(entry.name) + " of " + path() + " into",
                     "close some programs"};
    }
    PLUMB_CHECK(read(entry, 0, content));
    return content;
}

Result<void> SafetensorsFile::read(const SafetensorsEntry& entry, std::uint64_t first,
                                   std::span<std::byte> target) const {
    assert(first + target.size() <= entry.end - entry.begin);
    return m_file.read(m_header.dataOffset + entry.begin + first, target);
}

std::vector<const SafetensorsTensor*> safetensorsOrder(const std::vector<SafetensorsTensor>& tensors) {
    std::vector<const SafetensorsTensor*> ordered;
    ordered.reserve(tensors.size());
    for (const SafetensorsTensor& tensor : tensors) ordered.push_back(&tensor);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto* a, const auto* b) { return dtypeSize(a->dtype) > dtypeSize(b->dtype); });
    return ordered;
}

Result<void> writeSafetensors(const std::string& path, const std::vector<SafetensorsTensor>& tensors,
                              const std::map<std::string, std::string>& metadata) {
    PLUMB_CHECK(checkTensors(tensors, path));
    PLUMB_TRY(AtomicFile file, AtomicFile::create(path));
    return writeSafetensors(file, path, tensors, metadata);
}

Result<void> writeSafetensors(AtomicFile& file, const std::string& path,
                              const std::vector<SafetensorsTensor>& tensors,
                              const std::map<std::string, std::string>& metadata) {
    PLUMB_CHECK(checkTensors(tensors, path));
    const std::vector<const SafetensorsTensor*> ordered = safetensorsOrder(tensors);
    const std::string header = headerText(ordered, metadata);
    PLUMB_CHECK(file.write(std::as_bytes(std::span(header))));
    for (const SafetensorsTensor* tensor : ordered) PLUMB_CHECK(file.write(tensor->bytes));
    return file.commit();
}

}  // namespace plumb
