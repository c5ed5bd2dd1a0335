// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_type.h"

#include <gtest/gtest.h>

namespace plumb {

struct Wheel {
    std::int64_t spokes = 0;
    std::optional<double> load;
};
struct Cart {
    std::string name;
    bool isOpen = true;
    std::string owner;
    std::vector<Wheel> wheels;
};

JsonType<Wheel> jsonType(Of<Wheel> /*type*/) {
    static constexpr JsonMember<Wheel> kMembers[]{
        member<&Wheel::spokes, Whole<1, 9>>("spokes", Presence::Required, "Of one wheel"),
        member<&Wheel::load, Maybe<Positive>>("load_n", Presence::Always)};
    static constexpr auto kCheck = [](const JsonField& field, Wheel& wheel) {
        if (wheel.load && wheel.spokes == 1) field.fail("breaks");
    };
    return {"wheel", {}, kMembers, kCheck};
}

JsonType<Cart> jsonType(Of<Cart> /*type*/) {
    static constexpr JsonMember<Cart> kMembers[]{
        member<&Cart::name>("name", Presence::Required, {}, "title"),
        member<&Cart::isOpen>("is_open", Presence::Added), member<&Cart::owner>("owner", Presence::IfSet),
        member<&Cart::wheels, ListOf<Json<Wheel>, 2>>("wheels", Presence::Required)};
    return {"cart", "On wheels", kMembers};
}

namespace {

using nlohmann::json;

std::string errorOf(const char* text) {
    const auto cart = fromJson<Cart>(json::parse(text));
    return cart.has_value() ? "" : cart.error().message;
}

TEST(JsonType, WritesAndReadsWhatIsDescribed) {
    const Cart cart{"c", false, "", {{3, 2.5}, {4, std::nullopt}}};
    const json document = toJson(cart);
    EXPECT_EQ(document.dump(), R"({"is_open":false,"name":"c","wheels":[{"load_n":2.5,"spokes":3},)"
                               R"({"load_n":null,"spokes":4}]})");
    EXPECT_EQ(toJson(*fromJson<Cart>(document)), document);
    EXPECT_TRUE(toJson(Cart{"c", true, "me", {}}).contains("owner"));
}

TEST(JsonType, TakesOlderDocumentsAndUnknownFields) {
    const auto cart = fromJson<Cart>(json::parse(R"({"title": "old", "wheels": [], "colour": 5})"));
    ASSERT_TRUE(cart.has_value());
    EXPECT_EQ(cart->name, "old");
    EXPECT_TRUE(cart->isOpen);
}

TEST(JsonType, RefusesUnknownFieldsOfAClosedOne) {
    JsonType<Cart> closed = jsonType(Of<Cart>{});
    closed.closed = true;
    const auto problemOf = [&](const char* text) {
        const json document = json::parse(text);
        JsonField::Problem problem;
        Cart cart;
        readMembers(closed, JsonField(document, "cart", problem), cart);
        return problem ? problem->message : std::string();
    };
    EXPECT_EQ(problemOf(R"({"title": "older key", "wheels": []})"), "");
    EXPECT_EQ(problemOf(R"({"name": "", "wheels": [], "colour": 5})"),
              "cart has a field that is not known ('colour')");
    EXPECT_EQ(problemOf(R"({"name": "", "wheel": []})"),
              "cart has a field that is not known ('wheel'; did you mean wheels?)");
    json definitions = json::object();
    EXPECT_EQ(objectSchema(closed, definitions)["additionalProperties"], false);
    EXPECT_FALSE(objectSchema<Cart>(definitions).contains("additionalProperties"));
}

TEST(JsonType, NamesTheFieldThatIsWrong) {
    EXPECT_EQ(errorOf("[]"), "cart is not an object");
    EXPECT_EQ(errorOf(R"({"wheels": []})"), "cart.title is missing");
    EXPECT_EQ(errorOf(R"({"name": "", "wheels": [5]})"), "cart.wheels[0] is not an object");
    EXPECT_EQ(errorOf(R"({"name": "", "wheels": [{}, {}, {}]})"),
              "cart.wheels has 3 entries, and 2 is the most");
    EXPECT_EQ(errorOf(R"({"name": "", "wheels": [{"spokes": 10}]})"),
              "cart.wheels[0].spokes is 10, and 1 to 9 is possible");
    EXPECT_EQ(errorOf(R"({"name": "", "wheels": [{"spokes": 2, "load_n": 0}]})"),
              "cart.wheels[0].load_n is zero");
    EXPECT_EQ(errorOf(R"({"name": "", "wheels": [{"spokes": 1, "load_n": 1}]})"), "cart.wheels[0] breaks");
}

TEST(JsonType, DescribesItselfAsASchema) {
    json definitions = json::object();
    EXPECT_EQ(Json<Cart>::schema(definitions), json::parse(R"({"$ref": "#/$defs/cart"})"));
    EXPECT_EQ(definitions, json::parse(R"({
      "cart": {"type": "object", "description": "On wheels", "required": ["name", "wheels"], "properties": {
        "name": {"type": "string"}, "is_open": {"type": "boolean"}, "owner": {"type": "string"},
        "wheels": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/wheel"}}}},
      "wheel": {"type": "object", "required": ["spokes", "load_n"], "properties": {
        "spokes": {"type": "integer", "minimum": 1, "maximum": 9, "description": "Of one wheel"},
        "load_n": {"type": ["number", "null"], "exclusiveMinimum": 0}}}})"));
}

}  // namespace
}  // namespace plumb
