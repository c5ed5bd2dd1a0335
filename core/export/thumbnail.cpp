// SPDX-License-Identifier: Apache-2.0
#include "core/export/thumbnail.h"

#include "core/io/png.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace plumb {

extern const std::string_view lightThemeJson;

namespace {

constexpr int kSamples = 4;  // of a pixel, in each direction
constexpr double kMargin = 0.09, kCorner = 0.07, kBorder = 0.012, kAxis = 0.012;  // of the width
constexpr double kHeadroom = 0.94;                                                // of the plot, for the peak

struct Colour {
    double red = 0, green = 0, blue = 0;
};

/// "#4e79a7".
Colour colourOf(std::string_view text) {
    constexpr std::size_t kDigits = 2;
    constexpr int kHex = 16;
    std::array<int, 3> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string_view digits = text.substr(1 + i * kDigits, kDigits);
        std::from_chars(digits.data(), digits.data() + digits.size(), parts.at(i), kHex);
    }
    return {static_cast<double>(parts[0]), static_cast<double>(parts[1]), static_cast<double>(parts[2])};
}

struct Palette {
    Colour paper, border, axis;
    EnumArray<Category, Colour> categories{};
};

Palette palette() {
    const nlohmann::json theme = nlohmann::json::parse(lightThemeJson);
    const auto role = [&](const char* name) { return colourOf(theme["roles"][name].get<std::string>()); };
    Palette made{.paper = role("card"), .border = role("cardBorder"), .axis = role("axis")};
    for (const Category category : kAllCategories)
        made.categories[category] =
            colourOf(theme["categories"][std::string(categoryName(category))].get<std::string>());
    return made;
}

/// What is drawn, as a function of a point; the picture asks it several times a pixel.
class Drawing {
public:
    Drawing(const std::vector<CategoryBytes>& curve, double width, double height)
        : m_curve(curve), m_width(width), m_height(height), m_palette(palette()) {
        for (const CategoryBytes& bytes : curve) m_peak = std::max(m_peak, static_cast<double>(total(bytes)));
    }

    /// Null outside of the paper.
    [[nodiscard]] const Colour* at(double x, double y) const {
        if (!isInside(x, y, 0)) return nullptr;
        if (!isInside(x, y, kBorder * m_width)) return &m_palette.border;
        const double margin = kMargin * m_width, axis = std::max(1.0, kAxis * m_width);
        const double bottom = m_height - margin;
        if (x < margin || x >= m_width - margin) return &m_palette.paper;
        if (y >= bottom) return y < bottom + axis ? &m_palette.axis : &m_palette.paper;
        const double bytes = (bottom - y) / ((bottom - margin) * kHeadroom) * m_peak;
        const Colour* const category = categoryAt((x - margin) / (m_width - 2 * margin), bytes);
        return category != nullptr ? category : &m_palette.paper;
    }

private:
    [[nodiscard]] bool isInside(double x, double y, double inset) const {
        const double corner = kCorner * m_width;
        const double right = m_width - inset - corner, low = m_height - inset - corner;
        const double dx = std::max({inset + corner - x, x - right, 0.0});
        const double dy = std::max({inset + corner - y, y - low, 0.0});
        return dx * dx + dy * dy <= corner * corner;
    }

    [[nodiscard]] const Colour* categoryAt(double share, double bytes) const {
        const auto op = std::min(static_cast<std::size_t>(share * static_cast<double>(m_curve.size())),
                                 m_curve.size() - 1);
        double sum = 0;
        for (const Category category : kAllCategories) {
            sum += static_cast<double>(m_curve[op][category]);
            if (bytes < sum) return &m_palette.categories[category];
        }
        return nullptr;
    }

    const std::vector<CategoryBytes>& m_curve;
    double m_width, m_height;
    Palette m_palette;
    double m_peak = 1;
};

/// Red, green, blue, alpha of one pixel: the mean of its samples.
std::array<std::uint8_t, 4> pixelOf(const Drawing& drawing, int x, int y) {
    constexpr double kWhole = 255;
    Colour sum;
    int covered = 0;
    for (int sample = 0; sample < kSamples * kSamples; ++sample) {
        const double dx = (sample % kSamples + 0.5) / kSamples;
        const double dy = (static_cast<int>(sample / kSamples) + 0.5) / kSamples;
        const Colour* const colour = drawing.at(x + dx, y + dy);
        if (colour == nullptr) continue;
        sum = {sum.red + colour->red, sum.green + colour->green, sum.blue + colour->blue};
        ++covered;
    }
    if (covered == 0) return {};
    const auto channel = [&](double value) {
        return static_cast<std::uint8_t>(std::lround(value / covered));
    };
    const double alpha = kWhole * covered / (kSamples * kSamples);
    return {channel(sum.red), channel(sum.green), channel(sum.blue),
            static_cast<std::uint8_t>(std::lround(alpha))};
}

}  // namespace

Result<std::string> thumbnailOf(const Step& step, int pixels) {
    if (pixels < kLeastThumbnail || pixels > kMostThumbnail)
        return badInput(fmt::format("a picture of {} pixels is not made", pixels),
                        fmt::format("ask for {} to {}", kLeastThumbnail, kMostThumbnail));
    if (!saysMemory(step) || step.opCount() == 0)
        return badInput("the step says nothing of memory", "open a step that was planned, run or recorded");
    const int height = pixels * 3 / 4;
    const std::vector<CategoryBytes> curve = memoryCurve(step);
    const Drawing drawing(curve, pixels, height);
    std::vector<std::uint8_t> picture;
    picture.reserve(static_cast<std::size_t>(pixels) * static_cast<std::size_t>(height) * 4);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < pixels; ++x) {
            const auto pixel = pixelOf(drawing, x, y);
            picture.insert(picture.end(), pixel.begin(), pixel.end());
        }
    return pngFile(picture, pixels, height);
}

}  // namespace plumb
