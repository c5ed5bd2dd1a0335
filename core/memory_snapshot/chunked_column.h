// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace plumb {

/// Values of one kind, one after the other, in pieces of 65,536: it grows without a copy of what is there, so
/// that a column of a file of a gigabyte never takes twice its size.
template <class T>
class ChunkedColumn {
public:
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] T& operator[](std::size_t index) {
        auto& chunk = m_chunks[index / kChunk];
        if (chunk == nullptr) chunk = std::make_unique<Chunk>();
        return (*chunk)[index % kChunk];
    }
    [[nodiscard]] const T& operator[](std::size_t index) const {
        const auto& chunk = m_chunks[index / kChunk];
        return chunk == nullptr ? kZero : (*chunk)[index % kChunk];
    }
    void push(T value) {
        if (m_size == m_chunks.size() * kChunk) m_chunks.emplace_back();
        const std::size_t place = m_size++;
        if constexpr (std::equality_comparable<T>)
            if (value == kZero && m_chunks.back() == nullptr) return;
        (*this)[place] = std::move(value);
    }
    /// Sets a value; a zero makes no piece.
    void set(std::size_t index, T value) {
        if (value != std::as_const(*this)[index]) (*this)[index] = std::move(value);
    }
    /// Bytes that it takes in memory.
    [[nodiscard]] std::size_t bytes() const {
        std::size_t there = 0;
        for (const auto& chunk : m_chunks) there += chunk != nullptr ? 1 : 0;
        return there * sizeof(Chunk);
    }
    /// Forgets the values and gives their memory back.
    void clear() {
        m_chunks = {};
        m_size = 0;
    }

private:
    static constexpr std::size_t kChunk = 65536;
    using Chunk = std::array<T, kChunk>;
    static constexpr T kZero{};
    std::vector<std::unique_ptr<Chunk>> m_chunks;
    std::size_t m_size = 0;
};

}  // namespace plumb
