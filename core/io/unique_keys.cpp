// SPDX-License-Identifier: Apache-2.0
#include "core/io/unique_keys.h"

#include "core/base/plain_text.h"
#include "core/io/json_inspector.h"

#include <optional>
#include <set>
#include <vector>

namespace plumb {

namespace {

constexpr std::size_t kMostKeysBytes = std::size_t{64} << 20U;

class UniqueKeys : public JsonInspector {
public:
    explicit UniqueKeys(const std::string& what) : JsonInspector(what, kMostKeysBytes) {}

    [[nodiscard]] const std::optional<std::string>& repeated() const { return m_repeated; }

    bool key(string_t& text) override {
        if (!m_keys.empty() && !m_keys.back().insert(text).second) {
            m_repeated = text;
            return false;
        }
        return JsonInspector::key(text);
    }
    bool start_object(std::size_t elements) override {
        m_keys.emplace_back();
        return JsonInspector::start_object(elements);
    }
    bool end_object() override {
        m_keys.pop_back();
        return JsonInspector::end_object();
    }

private:
    std::vector<std::set<std::string>> m_keys;
    std::optional<std::string> m_repeated;
};

}  // namespace

Result<void> checkUniqueKeys(std::string_view text, const std::string& what) {
    UniqueKeys keys(what);
    static_cast<void>(keys.inspect(text));  // what else is wrong with it, its parser says
    if (!keys.repeated()) return {};
    return Error{ErrorCode::BadInput, what + " has a key twice (" + plainLine(*keys.repeated()) + ")",
                 "leave one of them out"};
}

}  // namespace plumb
