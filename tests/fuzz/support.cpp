// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support.h"

#include "tests/support/error_words.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

namespace plumb::fuzz {

void require(bool holds, std::string_view promise, std::string_view detail) {
    if (holds) return;
    std::string text(promise);
    if (!detail.empty()) text.append(": ").append(detail.substr(0, 2000));
    throw std::logic_error(text);
}

void requireSpeaks(const Error& error) {
    const std::string fault = test::faultOf(error);
    if (!fault.empty()) throw std::logic_error("an error " + fault + ": " + error.text().substr(0, 2000));
}

bool isPlannedQuickly(const RunConfig& config) {
    constexpr std::int64_t kMostLayers = 256;                              // of all micro-batches
    const std::int64_t layers = std::max<std::int64_t>(config.layers, 1);  // the head alone has none
    return layers <= kMostLayers && config.microBatches() <= kMostLayers / layers;
}

MemoryFile::MemoryFile(std::string_view content) : m_number(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (m_number < 0) std::abort();
    while (!content.empty()) {
        const ssize_t written = ::write(m_number, content.data(), content.size());
        if (written <= 0) std::abort();
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    m_path = "/proc/self/fd/" + std::to_string(m_number);
}

MemoryFile::~MemoryFile() { ::close(m_number); }

std::vector<std::string_view> lines(std::string_view input) {
    std::vector<std::string_view> result;
    for (;;) {
        const std::size_t end = input.find('\n');
        result.push_back(input.substr(0, end));
        if (end == std::string_view::npos) return result;
        input.remove_prefix(end + 1);
    }
}

}  // namespace plumb::fuzz
