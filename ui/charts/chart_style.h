// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>
#include <utility>
#include <variant>

namespace plumb::ui {

/// Pixels of the patch of colour before a name.
inline constexpr int kSwatch = 11;

/// A colour by meaning, looked up in the theme whenever it is painted: nothing to redo when the theme
/// changes.
using ChartColor = std::variant<ColorRole, Category, Phase>;

[[nodiscard]] inline QColor resolve(const Theme& theme, const ChartColor& color) {
    if (const auto* role = std::get_if<ColorRole>(&color)) return theme.color(*role);
    if (const auto* category = std::get_if<Category>(&color)) return theme.categoryColor(*category);
    return theme.phaseColor(std::get<Phase>(color));
}

/// Two colours mixed: `share` of `over` on `under`.
[[nodiscard]] inline QColor mixedColors(const QColor& over, const QColor& under, double share) {
    const auto mix = [share](float a, float b) { return static_cast<float>(share * a + (1 - share) * b); };
    return QColor::fromRgbF(mix(over.redF(), under.redF()), mix(over.greenF(), under.greenF()),
                            mix(over.blueF(), under.blueF()));
}

/// Black or white, whichever can be read on it.
[[nodiscard]] inline QColor textOn(const QColor& color) {
    const double luminance = 0.299 * color.redF() + 0.587 * color.greenF() + 0.114 * color.blueF();
    return luminance > 0.52 ? QColor(16, 18, 22) : QColor(250, 250, 252);
}

enum class ChartAxis { X, Y };

/// How one axis looks and which part of the data it shows.
struct AxisOptions {
    QString title;  ///< beside the axis, with its unit where tick labels carry none; empty: no title
    QString
        unit;  ///< unit of the tick labels, as in formatQuantity(): "B" gives "15 GB"; empty: "10 k", "0.01"
    bool log = false;  ///< base 10; then min and max must be above 0
    double min = 0;    ///< shown range, taken as it is; niceRange() in ui/charts/axis.h rounds one outwards
    double max = 1;
    bool ticks = true;  ///< false: neither grid nor tick labels (an axis that bands explain)
    QString room{};  ///< Y: tick labels get room for this text at least, so that plots above each other align
    bool prefixes = false;   ///< log without a unit: "1 P" where it would be "1e15", as losses have it
    bool thousands = false;  ///< without a unit: "20e9" where it would be "20 G", as the planner has it
    bool whole = false;      ///< linear: whole numbers alone, as of steps, however few are in sight
    bool operator==(const AxisOptions&) const = default;
};

/// One polyline.
struct LineStyle {
    QString label;  ///< in the legend and for screen readers; empty: not in the legend
    ChartColor color = ColorRole::Accent;
    qreal width = 1.5;  ///< logical pixels
    Qt::PenStyle pen = Qt::SolidLine;
    qreal opacity = 1;
    bool endDot = false;  ///< a dot at the last point, for curves that grow
    QString bandTo{};     ///< id of a line; what lies between the two is tinted. Empty: nothing
    bool operator==(const LineStyle&) const = default;
};

/// One layer of a stack of areas; layers are stacked in the order given, the first one at the bottom.
struct AreaLayer {
    QString label;
    ChartColor color = ColorRole::Accent;
    QVector<double> values;  ///< one per interval of ChartAreas::edges
};

/// A stack of step-shaped areas: interval i reaches from edges[i] to edges[i + 1].
struct ChartAreas {
    QVector<double> edges;  ///< increasing; one more than there are values
    QVector<AreaLayer> layers;
    bool hollow = false;  ///< lighter and with a dashed top edge: a prediction
};

/// A line across the plot (only x or only y given) or a dot (both), with its text placed where there is room.
struct ChartMarker {
    std::optional<double> x;
    std::optional<double> y;
    QString text;
    ChartColor color = ColorRole::Accent;
    Qt::PenStyle pen = Qt::DashLine;
    qreal width = 1;
    int priority = 10;   ///< priority of the text, when there is not room for all
    bool clear = false;  ///< as of a label: the text lies on nothing that is drawn, or is left out
};

/// One point of a scatter; `tag` is the caller's own number for it.
struct ChartMark {
    QPointF position;
    ChartColor color = ColorRole::Accent;
    bool filled = true;
    qreal radius = 5;  ///< logical pixels
    int tag = 0;       ///< below 0: a trace of a mark, which nothing points to and no text avoids
    bool highlighted = false;
    qreal opacity = 1;
};

/// Text near a position in data coordinates. Never overlaps other labels or marks and never leaves the plot;
/// it is left out where there is no room, the lowest priority first.
struct ChartLabel {
    QPointF anchor;
    QString text;
    ChartColor color = ColorRole::TextMuted;
    bool strong = false;
    int priority = 0;
    Qt::Alignment prefer = Qt::AlignRight | Qt::AlignVCenter;  ///< side of the anchor that is tried first
    /// Ends (data coordinates) of the line that it names: it stands on that and is turned with it.
    std::optional<std::pair<QPointF, QPointF>> along{};
    bool elsewhere = false;  ///< whether a label along a line stands near its anchor when there is no room
    bool merges =
        false;  ///< such labels become one where their anchors nearly coincide: "forward, loss and 2 more"
    bool clear = false;  ///< whether it stands clear of all curves and areas, and is left out where there is
                         ///< no such place
};

/// A thin line that joins two marks (data coordinates).
struct ChartJoin {
    QPointF from;
    QPointF to;
    ChartColor color = ColorRole::Accent;
    bool isArrow = false;  ///< with a head at `to`
    qreal opacity = 0.75;
};

/// A named stretch of the X axis, labelled below it. Level 0 is next to the axis, level 1 one row further
/// down.
struct ChartBand {
    double from = 0;
    double to = 0;
    QString label;
    int level = 0;
    bool shaded = false;
    bool bracketed = false;  ///< with a bracket between the axis and the label; of level 0
};

/// One entry of the legend below the plot.
struct LegendEntry {
    QString id;
    QString label;
    QString value;  ///< behind the label, stronger; may be empty
    ChartColor color = ColorRole::Accent;
    enum class Swatch { Square, Line, DashedLine, Dot, Circle } swatch = Swatch::Square;
    bool checkable = false;  ///< a click toggles it, see ChartPanel::legendToggled()
    bool checked = true;
    int groups = 1;  ///< bits: an entry that is shown alone is so among those that share one with it
    bool operator==(const LegendEntry&) const = default;
};

/// What the card beside the pointer says: a title and rows of name and values, one column per value.
struct HoverCardContent {
    struct Row {
        QString name;
        QStringList values;
        std::optional<ChartColor> swatch;
        bool strong = false;
        bool operator==(const Row&) const = default;
    };
    QString title;
    QStringList header;  ///< above the value columns; may be empty
    QVector<Row> rows;
    QString footer;  ///< muted, below the rows; lines are separated by '\n'
    bool operator==(const HoverCardContent&) const = default;
};

}  // namespace plumb::ui
