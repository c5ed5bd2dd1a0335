// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/product_log.h"

#include "core/base/entry_at.h"

#include <algorithm>

namespace plumb::cuda {

void ProductLog::begin(std::size_t ops) {
    m_entries.clear();
    m_ofOp.assign(ops, {});
}

void ProductLog::note(std::int32_t op, const Matmul& matmul, const AroundProduct& around) {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.matmul == &matmul && entry.around.apart == around.apart;
    });
    const auto index = static_cast<std::int32_t>(found - m_entries.begin());
    if (found == m_entries.end()) m_entries.push_back({&matmul, around});
    std::vector<std::int32_t>& known = entryAt(m_ofOp, op);
    if (std::find(known.begin(), known.end(), index) == known.end()) known.push_back(index);
}

LibraryProducts ProductLog::products() const {
    LibraryProducts products;
    products.ofOp = m_ofOp;
    for (const Entry& entry : m_entries) {
        LibraryProduct& product = products.products.emplace_back(entry.matmul->described());
        product.apart = entry.around.apart;
        product.fallback = entry.around.fallback;
        product.epilogue = entry.around.epilogue;
    }
    return products;
}

}  // namespace plumb::cuda
