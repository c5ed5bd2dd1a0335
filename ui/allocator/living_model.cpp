// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/living_model.h"

#include "ui/allocator/allocator_axis.h"
#include "ui/theme/text.h"
#include "ui/widgets/search_words.h"

#include <algorithm>

namespace plumb::ui {

namespace {
QString orDash(const std::string& text) { return text.empty() ? QStringLiteral("–") : toText(text); }
}  // namespace

LivingModel::LivingModel(AllocatorState& state, QObject* parent) : RowsModel(parent), m_state(state) {
    connect(&state, &AllocatorState::deviceChanged, this, [this] {
        m_sites.clear();
        emit deviceReplaced();
        fill();
    });
    connect(&state, &AllocatorState::cursorChanged, this, &LivingModel::fill);
    fill();
}

void LivingModel::setFilter(const QString& words) {
    m_filter = words;
    fill();
}

void LivingModel::fill() {
    beginResetModel();
    m_rows.clear();
    m_bytes = m_allBytes = 0;
    m_allCount = 0;
    if (const OpenedDevice* device = m_state.device()) {
        m_rows = device->history.livingAt(m_state.cursor());
        const auto& allocations = device->replay.allocations;
        m_allCount = m_rows.size();
        for (const std::uint32_t row : m_rows) m_allBytes += allocations[row].bytes;
        if (const SearchWords words(m_filter); !words.isEmpty()) {
            // What is searched is the same for all of a stack and category.
            std::unordered_map<std::uint64_t, bool> isFound;
            std::erase_if(m_rows, [&](std::uint32_t row) {
                const MemoryAllocation& each = allocations[row];
                const std::uint64_t source = std::uint64_t{each.stack} << 16U | each.category;
                const auto [found, isNew] = isFound.try_emplace(source, false);
                if (isNew)
                    found->second = words.areAll(words.in(text(each, kCategory) + QLatin1Char(' ') +
                                                          text(each, kOperation) + QLatin1Char(' ') +
                                                          text(each, kPlace)));
                return !found->second;
            });
        }
        for (const std::uint32_t row : m_rows) m_bytes += allocations[row].bytes;
    }
    endResetModel();
}

int LivingModel::rowOf(std::uint32_t allocation) const {
    const auto found = std::ranges::find(m_rows, allocation);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

const AllocationSite& LivingModel::site(std::uint32_t stack) const {
    const auto [found, isNew] = m_sites.try_emplace(stack);
    if (isNew) found->second = m_state.memory()->sites().site(stack);
    return found->second;
}

QString LivingModel::streamText(const MemoryAllocation& each) const {
    if (each.made == MemoryAllocation::kBefore) return QStringLiteral("–");
    const MemorySnapshot& snapshot = m_state.memory()->snapshot();
    const std::size_t row = m_state.device()->replay.row(each.made);
    const std::int64_t stream = snapshot.streams[snapshot.entries.stream[row]];
    // Streams but the default one are addresses.
    return stream < 1000 ? QString::number(stream) : QStringLiteral("0x") + QString::number(stream, 16);
}

QString LivingModel::text(const MemoryAllocation& each, int column) const {
    const AllocationSite& from = site(each.stack);
    switch (column) {
    case kSize:
        return bytesText(each.bytes);
    case kCategory:
        return groupText(MemoryKey::Category, m_state.device()->replay.categories[each.category]);
    case kOperation:
        return orDash(from.op.empty() ? from.node : from.op);
    case kPlace:
        return orDash(from.module.empty() ? from.place : from.module);
    case kMade:
        return each.made == MemoryAllocation::kBefore ? tr("before") : m_state.shortMomentText(each.made);
    case kStream:
        return streamText(each);
    default:
        return {};
    }
}

QVariant LivingModel::cell(const std::uint32_t& allocation, int column, int role) const {
    if (!m_state.device()) return {};
    const MemoryAllocation& each = m_state.device()->replay.allocations[allocation];
    if (role == Qt::DisplayRole) return text(each, column);
    if (role == Qt::TextAlignmentRole && (column == kSize || column == kStream))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return column == kMade && each.made == MemoryAllocation::kBefore ? tr("before the recording")
               : column == kSize                                         ? exactText(each.bytes, "B")
                                                                         : text(each, column);
    return {};
}

QVariant LivingModel::title(int column, int role) const {
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((column == kSize || column == kStream ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case kSize:
        return tr("Size");
    case kCategory:
        return tr("Category");
    case kOperation:
        return tr("Operation");
    case kPlace:
        return tr("Module or frame");
    case kMade:
        return tr("Made at");
    case kStream:
        return tr("Stream");
    default:
        return {};
    }
}

}  // namespace plumb::ui
