// SPDX-License-Identifier: Apache-2.0
// The list of devices, and what each lets itself be counted.
#include "core/engine/protocol_json.h"
#include "core/machine/machine_json.h"
#include "core/model/names.h"
#include "core/plan/traits_json.h"

namespace plumb {

using nlohmann::json;
using enum Presence;

JsonType<CounterSupport::Passes> jsonType(Of<CounterSupport::Passes> /*type*/) {
    using Passes = CounterSupport::Passes;
    static constexpr JsonMember<Passes> kMembers[]{
        member<&Passes::precision, Named<kPrecisionNames>>("precision", Required),
        member<&Passes::detail, Named<kCounterDetailNames>>("detail", Required),
        member<&Passes::passes, Whole<1>>("passes", Required)};
    return {{}, {}, kMembers};
}

JsonType<Target> jsonType(Of<Target> /*type*/) {
    static constexpr JsonMember<Target> kMembers[]{member<&Target::machine>("machine", Required),
                                                   member<&Target::traits>("traits", Required)};
    return {{}, {}, kMembers};
}

namespace protocol {

namespace {

/// Why there are none, or what there is.
struct Counters {
    using Passes = Json<std::vector<CounterSupport::Passes>>;
    static json write(const CounterSupport& support) {
        if (!support.available()) return {{"absent", support.absent}};
        return {{"absent", ""},
                {"chip", support.chip},
                {"ranges_at_once", support.rangesAtOnce},
                {"passes", Passes::write(support.passes)}};
    }
    static CounterSupport read(const JsonField& field) {
        CounterSupport support;
        support.absent = field["absent"].textOr("");
        support.chip = field["chip"].textOr("");
        if (!support.available()) return support;
        support.rangesAtOnce = field["ranges_at_once"].count(1);
        support.passes = Passes::read(field["passes"]);
        return support;
    }
    static json schema(json& definitions) {
        return {{"type", "object"}, {"properties", {{"passes", Passes::schema(definitions)}}}};
    }
};

}  // namespace

JsonType<DeviceEntry> jsonType(Of<DeviceEntry> /*type*/) {
    static constexpr JsonMember<DeviceEntry> kMembers[]{
        member<&DeviceEntry::available>("available", Required), inlined<&DeviceEntry::target>(),
        member<&DeviceEntry::reason>("reason", Always),
        member<&DeviceEntry::counters, Counters>("counters", Added)};
    return {{}, {}, kMembers};
}

JsonType<DeviceList> jsonType(Of<DeviceList> /*type*/) {
    static constexpr JsonMember<DeviceList> kMembers[]{member<&DeviceList::devices>("devices", Required)};
    return {"devices", {}, kMembers};
}

}  // namespace protocol
}  // namespace plumb
