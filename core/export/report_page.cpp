// SPDX-License-Identifier: Apache-2.0
// The frame of a report. Colours are those of resources/themes.
#include "core/export/report_page.h"

#include "core/base/words.h"
#include "core/export/html_text.h"

#include <fmt/format.h>

namespace plumb {
namespace {

constexpr std::string_view kLight = R"(
color-scheme: light; --window: #e9ecf0; --card: #ffffff; --border: #d5dae1; --grid: #e6e9ee; --axis: #5b6573;
--text: #29303a; --muted: #59636f; --strong: #0f141a; --accent: #0a6ebd; --hover: #eaeef3; --button: #e3e8ed;
--predicted: #59636f; --track: #cdd3db; --areas: 0.9;
--f-data: #9c755f; --f-forward: #2f7fba; --f-loss: #d1494b; --f-recompute: #4f9c96; --f-backward: #e07b14;
--f-optimizer: #9c6490;)";
constexpr std::string_view kDark = R"(
color-scheme: dark; --window: #15181d; --card: #20252d; --border: #2f3641; --grid: #2c333d; --axis: #9fa9b7;
--text: #d3d8e0; --muted: #9fa9b7; --strong: #f3f5f8; --accent: #4cc2ff; --hover: #262c36; --button: #2b323c;
--predicted: #d3d8e0; --track: #39414d; --areas: 1;
--f-data: #9c755f; --f-forward: #4e9ad1; --f-loss: #e15759; --f-recompute: #76b7b2; --f-backward: #f28e2b;
--f-optimizer: #b07aa1;)";

constexpr std::string_view kStyle = R"(
* { box-sizing: border-box; }
body { margin: 0; background: var(--window); color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 24px 20px 40px; }
header { display: flex; gap: 16px; align-items: flex-start; justify-content: space-between; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 4px; color: var(--strong); overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 12px; color: var(--strong); }
p { margin: 0 0 8px; }
header p, figcaption, .note, .absent, footer { color: var(--muted); }
section { background: var(--card); border: 1px solid var(--border); border-radius: 8px; padding: 16px 18px;
  margin-top: 16px; }
button { font: inherit; color: inherit; background: var(--button); border: 1px solid var(--border);
  border-radius: 6px; padding: 5px 12px; cursor: pointer; white-space: nowrap; }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--grid); vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; }
th { color: var(--muted); font-weight: 500; }
tbody th { color: var(--text); font-weight: 400; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td { overflow-wrap: anywhere; }
.figures { table-layout: fixed; min-width: 520px; }
.figures th:first-child { width: 40%; }
.figures .founded td { white-space: normal; color: var(--muted); }
.figures td.measured { color: var(--strong); font-weight: 600; }
.sub th { padding-left: 16px; color: var(--muted); }
.facts th { width: 38%; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 0 32px; }
.sortable { min-width: 820px; }
.sortable th button { border: 0; background: none; padding: 0; color: inherit; font-weight: inherit; }
.sortable th button:hover { color: var(--accent); }
.sortable th[aria-sort] button { color: var(--accent); }
th[aria-sort=ascending] button::after { content: " ↑"; }
th[aria-sort=descending] button::after { content: " ↓"; }
.sortable tbody tr:hover { background: var(--hover); }
.phase { white-space: nowrap; }
.module { color: var(--muted); min-width: 110px; }
.key { display: inline-block; width: 9px; height: 9px; border-radius: 2px; background: var(--c); margin-right: 7px; }
figure { margin: 0; }
figure > svg { display: block; width: 100%; min-width: 720px; height: auto; }
figure { overflow-x: auto; }
figcaption { margin-top: 8px; font-size: 13px; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 8px 0 0; padding: 0;
  font-size: 13px; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; background: var(--c);
  margin-right: 7px; vertical-align: -1px; }
.legend i.dashed { height: 0; width: 18px; border-top: 2px dashed var(--predicted); border-radius: 0;
  background: none; vertical-align: 4px; }
svg text { font: 12px system-ui, sans-serif; fill: var(--axis); }
svg .mid { text-anchor: middle; }
svg .end { text-anchor: end; }
svg path { fill: none; }
svg .grid { stroke: var(--grid); }
svg .axis { stroke: var(--axis); }
svg .area { fill: var(--c); fill-opacity: var(--areas); }
svg .bar { fill: var(--c); }
svg .line { stroke-width: 1.6; stroke-linejoin: round; }
svg .dashed { stroke: var(--predicted); stroke-dasharray: 6 4; }
svg .loss { stroke: var(--accent); }
svg .roof { stroke: var(--axis); stroke-width: 1.4; }
svg .faint { stroke-dasharray: 2 4; }
svg .dot { fill: var(--c); stroke: var(--c); stroke-width: 1.8; fill-opacity: 0.85; }
svg .hollow { fill: none; }
.parameters { --c: #4e79a7; } .master_parameters { --c: #76b7b2; } .optimizer_state { --c: #b07aa1; }
.gradients { --c: #f28e2b; } .activations { --c: #59a14f; } .activation_gradients { --c: #edc948; }
.area.data { --c: #9c755f; } .workspace { --c: #5f5a56; } .communication { --c: #4b3fd6; }
.data { --c: var(--f-data); } .forward { --c: var(--f-forward); } .loss { --c: var(--f-loss); }
.recompute { --c: var(--f-recompute); } .backward { --c: var(--f-backward); }
.optimizer { --c: var(--f-optimizer); }
footer { margin-top: 16px; font-size: 13px; }
@media (max-width: 640px) {
  main { padding: 14px 10px 28px; } section { padding: 12px; } h1 { font-size: 18px; }
  .figures { min-width: 0; font-size: 12px; } .figures th:first-child { width: 31%; }
  .figures td, .figures th { padding-right: 6px; } .sub th { padding-left: 8px; }
}
@page { size: A4; margin: 14mm; }
@media print {
  body { background: none; font-size: 10.5px; } main { padding: 0; max-width: none; }
  section { border: 0; padding: 0; margin-top: 18px; } header button { display: none; }
  figure, tr, thead { break-inside: avoid; } figcaption, .legend, footer { font-size: 9.5px; }
  .legend i { width: 9px; height: 9px; } h2 { break-after: avoid; } .scroll, figure { overflow: visible; }
  .sortable { min-width: 0; font-size: 8.5px; } figure > svg { min-width: 0; }
  th, td { padding: 3px 6px 3px 0; } thead { display: table-header-group; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
})";

constexpr std::string_view kScript = R"(
'use strict';
document.getElementById('scheme').addEventListener('click', () => {
  const root = document.documentElement;
  const isDark = root.dataset.scheme ? root.dataset.scheme === 'dark'
                                     : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.scheme = isDark ? 'light' : 'dark';
});
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells];
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  heads.forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
    const isNumber = head.classList.contains('n');
    const isUp = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') !== 'ascending' : !isNumber;
    heads.forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
    const isKnown = (row) => !isNumber || row.cells[column].dataset.value !== undefined;
    const rows = [...table.tBodies[0].rows].sort((a, b) => {
      if (!isKnown(a) || !isKnown(b)) return isKnown(b) - isKnown(a);
      const x = valueOf(a, column), y = valueOf(b, column);
      const order = isNumber ? x - y : x.localeCompare(y);
      return isUp ? order : -order;
    });
    table.tBodies[0].append(...rows);
  }));
})";

}  // namespace

std::string reportPage(std::string_view title, std::string_view body) {
    const std::string style = fmt::format(
        ":root {{{0}}}\n@media screen {{ :root[data-scheme=dark] {{{1}}} }}\n"
        "@media screen and (prefers-color-scheme: dark) {{ :root:not([data-scheme=light]) {{{1}}} }}{2}",
        kLight, kDark, kStyle);
    return fmt::format(
        R"(<!DOCTYPE html>
<html lang="{}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{}</title>
<style>
{}
</style>
</head>
<body>
<main>
{}
</main>
<script>{}
</script>
</body>
</html>
)",
        wordsLanguage().empty() ? "en" : "zh-Hans", htmlText(title), style, body, kScript);
}

}  // namespace plumb
