// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/activity_buffers.h"

#include <new>
#include <utility>

namespace plumb::cupti {

ActivityBuffers::ActivityBuffers() {
    std::vector<std::uint8_t*> prepared(kPrepared);
    for (std::uint8_t*& data : prepared) data = request();
    for (std::uint8_t* data : prepared)
        if (data != nullptr) recycle(data);
}

ActivityBuffers::~ActivityBuffers() = default;

std::uint8_t* ActivityBuffers::request() noexcept {
    const std::scoped_lock lock(m_mutex);
    if (!m_free.empty()) {
        std::uint8_t* data = m_free.back();
        m_free.pop_back();
        return data;
    }
    try {
        // Room for every buffer in all three lists, so that complete() and recycle() need no memory.
        m_free.reserve(m_all.size() + 1);
        m_full.reserve(m_all.size() + 1);
        m_all.push_back(std::make_unique<std::uint64_t[]>(kBytes / sizeof(std::uint64_t)));
        return reinterpret_cast<std::uint8_t*>(m_all.back().get());
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void ActivityBuffers::complete(std::uint8_t* data, std::size_t valid) noexcept {
    if (data == nullptr) return;
    const std::scoped_lock lock(m_mutex);
    if (valid == 0)
        m_free.push_back(data);
    else
        m_full.push_back({data, valid});
}

std::vector<ActivityBuffers::Full> ActivityBuffers::takeFull() {
    const std::scoped_lock lock(m_mutex);
    std::vector<Full> full;
    full.swap(m_full);
    m_full.reserve(m_all.size());
    return full;
}

void ActivityBuffers::recycle(std::uint8_t* data) noexcept {
    const std::scoped_lock lock(m_mutex);
    m_free.push_back(data);
}

std::size_t ActivityBuffers::count() const {
    const std::scoped_lock lock(m_mutex);
    return m_all.size();
}

}  // namespace plumb::cupti
