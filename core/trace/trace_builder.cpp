// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_builder.h"

#include "core/trace/trace_rows.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <tuple>
#include <utility>

namespace plumb::trace {

namespace {

constexpr std::size_t kMostPoints = 20'000'000;

constexpr std::pair<std::string_view, Category> kCategoriesOfFiles[]{
    {"kernel", Category::Kernel},
    {"Kernel", Category::Kernel},
    {"gpu_memcpy", Category::Copy},
    {"Memcpy", Category::Copy},
    {"gpu_memset", Category::Memset},
    {"Memset", Category::Memset},
    {"cpu_op", Category::Op},
    {"Operator", Category::Op},
    {"user_annotation", Category::Annotation},
    {"gpu_user_annotation", Category::GpuAnnotation},
    {"cuda_runtime", Category::Runtime},
    {"hip_runtime", Category::Runtime},
    {"Runtime", Category::Runtime},
    {"cuda_driver", Category::Driver},
    {"python_function", Category::Python},
    {"cuda_sync", Category::Sync},
    {"cuda_event", Category::Sync},
    {"overhead", Category::Overhead},
    {"Trace", Category::Span}};
constexpr Category kNotYetKnown{0xFF};

TrackKind kindOf(Category category) {
    if (isGpuWork(category)) return TrackKind::Stream;
    if (category == Category::GpuAnnotation) return TrackKind::StreamAnnotations;
    return category == Category::Sync ? TrackKind::StreamSyncs : TrackKind::Thread;
}

std::uint64_t keyOf(TrackKind kind, NameId process, NameId thread) {
    return (static_cast<std::uint64_t>(kind) << 62U) | (static_cast<std::uint64_t>(process) << 31U) | thread;
}
/// Labels of a process have a thread that no file can name.
constexpr NameId kNoThread = 0x7FFFFFFF;

template <class Value>
void permute(std::vector<Value>& column, const std::vector<std::uint32_t>& order) {
    std::vector<Value> sorted;
    sorted.reserve(order.size());
    for (const std::uint32_t i : order) sorted.push_back(column[i]);
    column.swap(sorted);
}

}  // namespace

NameId TraceBuilder::nameOf(const RawEvent& event, Field field) {
    const std::string_view text = event.at(field);
    if ((event.escaped & RawEvent::bit(field)) != 0) return m_trace.names.intern(unescaped(text));
    return m_trace.names.intern(text);
}

NameId TraceBuilder::countCategory(const RawEvent& event) {
    const NameId category = nameOf(event, Field::Category);
    if (category >= m_tallies.size()) {
        m_tallies.resize(category + std::size_t{64}, 0);
        m_known.resize(m_tallies.size(), kNotYetKnown);
    }
    ++m_tallies[category];
    return category;
}

Category TraceBuilder::categoryOf(NameId category, std::string_view name) {
    Category& known = m_known[category];
    if (known == kNotYetKnown) {
        known = Category::Other;
        for (const auto& [text, value] : kCategoriesOfFiles)
            if (text == m_trace.names.at(category)) known = value;
    }
    // The files of 2021 have no category for annotations.
    if (known == Category::Op && (name.starts_with("ProfilerStep#") || name.starts_with("Optimizer.") ||
                                  name.starts_with("enumerate(DataLoader)")))
        return Category::Annotation;
    return known;
}

std::uint32_t TraceBuilder::trackOf(const RawEvent& event, Category category) {
    const TrackKind kind = kindOf(category);
    const bool onDevice = kind != TrackKind::Thread;
    const Field process = onDevice && event.has(Field::Device) ? Field::Device : Field::Process;
    const Field thread = onDevice && event.has(Field::Stream) ? Field::Stream : Field::Thread;
    const NameId processName = nameOf(event, process);
    const NameId threadName = nameOf(event, thread);
    const std::uint64_t key = keyOf(kind, processName, threadName);
    if (key == m_lastKey) return m_lastTrack;
    auto [found, isNew] = m_tracks.try_emplace(key, static_cast<std::uint32_t>(m_trace.tracks.size()));
    if (isNew && m_trace.tracks.size() < Trace::kMostTracks) {
        Track track{.kind = kind, .process = processName, .thread = threadName};
        if (onDevice) {
            track.device = wholeOf(m_trace.names.at(processName)).value_or(-1);
            track.stream = wholeOf(m_trace.names.at(threadName)).value_or(-1);
        }
        m_trace.tracks.push_back(track);
    } else if (isNew) {
        m_tracks.erase(found);
        return static_cast<std::uint32_t>(m_trace.tracks.size() - 1);
    }
    m_lastKey = key;
    return m_lastTrack = found->second;
}

std::uint32_t TraceBuilder::groupOf(const RawEvent& event) {
    const auto text = [&](Field field) { return event.has(field) ? nameOf(event, field) : NameId{0}; };
    const ProcessGroup group{text(Field::GroupName), text(Field::GroupDescription), text(Field::GroupRanks),
                             wholeOf(event.at(Field::GroupSize)).value_or(-1)};
    const auto [found, isNew] = m_groups.try_emplace({group.name, group.description, group.ranks, group.size},
                                                     static_cast<std::uint32_t>(m_trace.groups.size()));
    if (isNew) m_trace.groups.push_back(group);
    return found->second;
}

std::uint32_t TraceBuilder::addCollective(const RawEvent& event) {
    if (!event.has(Field::Collective)) return 0;
    Collectives& all = m_trace.collectives;
    const auto add = [&](NameId name, NameId type, std::uint32_t group, std::int64_t sequence,
                         std::int64_t in, std::int64_t out, std::int64_t peer) {
        all.name.push_back(name);
        all.elementType.push_back(type);
        all.group.push_back(group);
        all.sequence.push_back(sequence);
        all.elementsIn.push_back(in);
        all.elementsOut.push_back(out);
        all.peer.push_back(peer);
    };
    const auto whole = [&](Field field) {
        return std::max<std::int64_t>(-1, wholeOf(event.at(field)).value_or(-1));
    };
    if (all.size() == 0) add(0, 0, 0, -1, -1, -1, -1);
    add(nameOf(event, Field::Collective),
        event.has(Field::ElementType) ? nameOf(event, Field::ElementType) : NameId{0}, groupOf(event),
        whole(Field::CollectiveSequence), whole(Field::ElementsIn), whole(Field::ElementsOut),
        whole(Field::PeerRank));
    return static_cast<std::uint32_t>(all.size() - 1);
}

void TraceBuilder::addLinks(const RawEvent& event, Category category) {
    Slices& slices = m_trace.slices;
    const auto whole = [&](Field field) { return wholeOf(event.at(field)).value_or(-1); };
    std::int64_t link = -1;
    std::uint32_t detail = 0;
    std::uint8_t forward = 0;
    if (category == Category::Op) {
        link = whole(Field::Sequence);
        forward = link >= 0 && whole(Field::ForwardThread) <= 0 ? 1 : 0;
        if (event.has(Field::Shapes)) detail = nameOf(event, Field::Shapes);
    } else if (category != Category::Annotation && category != Category::Python) {
        link = whole(Field::Correlation);
        if (link <= 0) link = -1;
        if (category == Category::Copy || category == Category::Memset) {
            if (const std::int64_t bytes = whole(Field::Bytes); bytes >= 0) {
                detail = static_cast<std::uint32_t>(m_trace.amounts.size());
                m_trace.amounts.push_back(bytes);
            }
        } else if (category == Category::Kernel) {
            detail = addCollective(event);
        } else if (category == Category::Sync) {
            detail = static_cast<std::uint32_t>(m_trace.amounts.size());
            m_trace.amounts.push_back(whole(Field::WaitStream));
            m_trace.amounts.push_back(whole(Field::WaitCorrelation));
        }
    }
    slices.link.push_back(link);
    slices.external.push_back(whole(Field::External));
    slices.detail.push_back(detail);
    slices.forward.push_back(forward);
    if (m_withTypes)
        slices.types.push_back(
            category == Category::Op && event.has(Field::Types) ? nameOf(event, Field::Types) : NameId{0});
}

void TraceBuilder::addSlice(const RawEvent& event, bool isOpen) {
    Slices& slices = m_trace.slices;
    const NameId categoryName = countCategory(event);
    const auto begin = nanosecondsOf(event.at(Field::Time));
    std::optional<Nanoseconds> duration = isOpen ? Nanoseconds{0} : nanosecondsOf(event.at(Field::Duration));
    if (!isOpen && !event.has(Field::Duration)) duration = 0;
    if (!begin || *begin < -kMostTime / 2 || !duration || *duration > kMostDuration) {
        ++m_trace.losses.withoutTime;
        return;
    }
    if (slices.size() >= m_mostSlices) {
        m_full = true;
        return;
    }
    if (*duration < 0) {
        ++m_trace.losses.negativeDurations;
        duration = 0;
    }
    if (m_trace.amounts.empty()) m_trace.amounts.push_back(-1);
    const NameId name = nameOf(event, Field::Name);
    const Category category = categoryOf(categoryName, m_trace.names.at(name));
    const std::uint32_t track = trackOf(event, category);
    if (isOpen) m_open[track].push_back(static_cast<std::uint32_t>(slices.size()));
    slices.begin.push_back(*begin);
    slices.duration.push_back(*duration);
    slices.name.push_back(name);
    slices.track.push_back(track);
    slices.category.push_back(category);
    addLinks(event, category);
}

void TraceBuilder::endSlice(const RawEvent& event) {
    const NameId categoryName = countCategory(event);
    const auto time = nanosecondsOf(event.at(Field::Time));
    const std::uint32_t track = trackOf(event, categoryOf(categoryName, {}));
    const auto open = m_open.find(track);
    if (!time || open == m_open.end() || open->second.empty()) {
        ++m_trace.losses.unbegunEnds;
        return;
    }
    const std::uint32_t slice = open->second.back();
    open->second.pop_back();
    const Nanoseconds duration = *time - m_trace.slices.begin[slice];
    if (duration < 0 || *time < -kMostTime / 2) ++m_trace.losses.negativeDurations;
    m_trace.slices.duration[slice] = std::clamp<Nanoseconds>(duration, 0, kMostDuration);
}

void TraceBuilder::addInstant(const RawEvent& event) {
    (void)countCategory(event);
    const auto time = nanosecondsOf(event.at(Field::Time));
    const auto bytes = wholeOf(event.at(Field::Bytes));
    if (event.at(Field::Name) != "[memory]" || !time || !bytes || m_trace.memory.size() >= kMostPoints) {
        ++m_trace.instants;
        return;
    }
    const auto whole = [&](Field field, std::int64_t otherwise) {
        return wholeOf(event.at(field)).value_or(otherwise);
    };
    m_trace.memory.push_back({*time, *bytes, whole(Field::TotalAllocated, -1),
                              whole(Field::TotalReserved, -1), whole(Field::DeviceType, 0),
                              whole(Field::DeviceId, -1), whole(Field::Address, 0)});
}

void TraceBuilder::addCounter(const RawEvent& event) {
    (void)countCategory(event);
    const auto time = nanosecondsOf(event.at(Field::Time));
    const std::string_view text = event.at(event.has(Field::Other) ? Field::Other : Field::Bytes);
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!time || problem != std::errc() || m_trace.counters.size() >= kMostPoints) {
        ++m_trace.instants;
        return;
    }
    m_trace.counters.push_back({*time, nameOf(event, Field::Process), nameOf(event, Field::Name), value});
}

void TraceBuilder::addLabel(const RawEvent& event) {
    const std::string_view kind = event.at(Field::Name);
    if (!event.has(Field::Label) || m_labels.size() >= 2 * Trace::kMostTracks) return;
    if (kind == "process_name")
        m_labels[keyOf(TrackKind::Thread, nameOf(event, Field::Process), kNoThread)] =
            nameOf(event, Field::Label);
    else if (kind == "thread_name")
        m_labels[keyOf(TrackKind::Thread, nameOf(event, Field::Process), nameOf(event, Field::Thread))] =
            nameOf(event, Field::Label);
}

void TraceBuilder::add(const RawEvent& event) {
    const std::string_view phase = event.at(Field::Phase);
    switch (phase.empty() ? '\0' : phase.front()) {
    case 'X':
        return addSlice(event, false);
    case 'B':
        return addSlice(event, true);
    case 'E':
        return endSlice(event);
    case 'i':
    case 'I':
        return addInstant(event);
    case 'C':
        return addCounter(event);
    case 'M':
        return addLabel(event);
    case 's':
    case 't':
    case 'f':
        ++m_trace.flows;
        return;
    default:
        (void)countCategory(event);
        ++m_trace.instants;
    }
}

void TraceBuilder::closeOpenSlices() {
    Slices& slices = m_trace.slices;
    Nanoseconds last = INT64_MIN;
    for (std::size_t i = 0; i < slices.size(); ++i) last = std::max(last, slices.end(i));
    for (const auto& [track, open] : m_open)
        for (const std::uint32_t slice : open) {
            ++m_trace.losses.unendedSlices;
            slices.duration[slice] = std::min(last - slices.begin[slice], kMostDuration);
        }
    m_open.clear();
}

void TraceBuilder::labelTracks() {
    for (Track& track : m_trace.tracks) {
        const auto process = m_labels.find(keyOf(TrackKind::Thread, track.process, kNoThread));
        if (process != m_labels.end()) track.processLabel = process->second;
        const auto thread = m_labels.find(keyOf(TrackKind::Thread, track.process, track.thread));
        if (thread != m_labels.end()) track.threadLabel = thread->second;
    }
}

void TraceBuilder::sortTracks() {
    const auto& tracks = m_trace.tracks;
    std::vector<std::uint32_t> order(tracks.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto rank = [&](std::uint32_t i) {
        const Track& track = tracks[i];
        const auto number = [&](NameId id) { return wholeOf(m_trace.names.at(id)).value_or(INT64_MAX); };
        return std::tuple(track.kind == TrackKind::Thread, track.device, track.stream, track.kind,
                          number(track.process), m_trace.names.at(track.process), number(track.thread),
                          m_trace.names.at(track.thread));
    };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    std::vector<std::uint32_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::uint32_t>(i);
    for (std::uint32_t& track : m_trace.slices.track) track = place[track];
    permute(m_trace.tracks, order);
}

void TraceBuilder::sortSlices() {
    Slices& slices = m_trace.slices;
    for (const std::uint32_t track : slices.track) ++m_trace.tracks[track].count;
    std::size_t first = 0;
    std::vector<std::size_t> next;
    for (Track& track : m_trace.tracks) {
        track.first = first;
        next.push_back(first);
        first += track.count;
    }
    std::vector<std::uint32_t> order(slices.size());
    for (std::size_t i = 0; i < slices.size(); ++i)
        order[next[slices.track[i]]++] = static_cast<std::uint32_t>(i);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (slices.begin[a] != slices.begin[b]) return slices.begin[a] < slices.begin[b];
        if (slices.duration[a] != slices.duration[b]) return slices.duration[a] > slices.duration[b];
        if (slices.category[a] != slices.category[b]) return slices.category[a] < slices.category[b];
        return a < b;
    };
    for (const Track& track : m_trace.tracks) {
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(track.first);
        const auto end = begin + static_cast<std::ptrdiff_t>(track.count);
        if (!std::is_sorted(begin, end, before)) std::sort(begin, end, before);
    }
    permute(slices.begin, order);
    permute(slices.duration, order);
    permute(slices.name, order);
    permute(slices.track, order);
    permute(slices.category, order);
    permute(slices.link, order);
    permute(slices.external, order);
    permute(slices.detail, order);
    permute(slices.forward, order);
    if (m_withTypes) permute(slices.types, order);
}

Trace TraceBuilder::finish() {
    closeOpenSlices();
    labelTracks();
    sortTracks();
    sortSlices();
    layRows(m_trace);
    std::ranges::stable_sort(m_trace.memory, {}, &MemoryPoint::time);
    std::ranges::stable_sort(m_trace.counters, {}, &CounterPoint::time);
    for (std::size_t name = 0; name < m_tallies.size(); ++name)
        if (m_tallies[name] > 0) m_trace.categories.push_back({static_cast<NameId>(name), m_tallies[name]});
    std::ranges::sort(m_trace.categories, [&](const Tally& a, const Tally& b) {
        return m_trace.names.at(a.name) < m_trace.names.at(b.name);
    });
    m_trace.losses.refusedNames = m_trace.names.refused();
    return std::move(m_trace);
}

}  // namespace plumb::trace
