import { createHash } from 'node:crypto';

/** The style sheet of all pages: system fonts, light and dark, one column that fits a phone. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #eef2f3; --sheet: #ffffff; --ink: #17252b; --quiet: #51646d; --line: #ccd7da;
  --accent: #0b6671; --accent-ink: #ffffff; --accent-soft: #e0f0f1; --danger: #a3262a; --danger-soft: #fbe9e8;
  --good-soft: #e2f3e8; --band: #d9efe0; --line0: #0b6671; --line1: #8a5a00; --line2: #6a4bb5; --line3: #1f5fa8; --shadow: 0 1px 2px rgb(15 40 50 / .08), 0 8px 28px rgb(15 40 50 / .07);
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #10181b; --sheet: #19252a; --ink: #e8eff1; --quiet: #a5b8bf; --line: #35474f;
    --accent: #63c6d0; --accent-ink: #06282d; --accent-soft: #1d3a40; --danger: #ff9b94; --danger-soft: #43262a;
    --good-soft: #1e3b2c; --band: #23463a; --line0: #63c6d0; --line1: #e8b45c; --line2: #bda6f5; --line3: #8ab8f5; --shadow: none;
  }
}
* { box-sizing: border-box; }
html { font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); display: flex; flex-direction: column; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--sheet); z-index: 1; }
header { background: var(--sheet); border-bottom: 1px solid var(--line); }
.bar { max-width: 72rem; margin: 0 auto; padding: .75rem 1.25rem; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; }
.brand { font-weight: 700; color: inherit; text-decoration: none; margin-right: auto; display: flex; align-items: center; gap: .55rem; }
.brand::before { content: ""; width: .85rem; height: .85rem; border-radius: .25rem; background: var(--accent); }
.bar nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; }
.bar form { margin: 0; }
main { width: 100%; max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; flex: 1; }
main.narrow { max-width: 28rem; }
.wide main { max-width: 72rem; }
.sheet > :last-child { margin-bottom: 0; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: .9rem; padding: clamp(1.25rem, 4vw, 2rem); box-shadow: var(--shadow); }
.sheet + .sheet { margin-top: 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .5rem; }
p { margin: 0 0 1rem; }
.quiet { color: var(--quiet); }
.small { font-size: .92rem; }
label { display: block; font-weight: 600; margin: 0 0 .3rem; }
.field { margin: 0 0 1.1rem; }
input[type=text], input[type=password], input[type=search], input[type=date], textarea, select {
  width: 100%; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet);
  border-radius: .5rem; padding: .6rem .75rem; min-height: 2.9rem;
}
button, .button {
  font: inherit; font-weight: 600; min-height: 2.9rem; padding: .55rem 1.3rem; border-radius: .5rem; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--accent-ink); text-decoration: none;
  display: inline-flex; align-items: center; justify-content: center;
}
button:hover, .button:hover { filter: brightness(1.08); }
button.second, a.second { background: transparent; color: var(--ink); border-color: var(--quiet); }
button.danger { background: transparent; color: var(--danger); border-color: var(--danger); min-height: 2.5rem; padding: .3rem 1rem; }
button.plain { background: none; border: 0; color: var(--accent); padding: 0; min-height: 2rem; font-weight: 400; text-decoration: underline; text-underline-offset: .15em; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.whole { width: 100%; }
input[type=checkbox] { width: 1.1rem; height: 1.1rem; vertical-align: -.1rem; accent-color: var(--accent); }
.qr { max-width: 15rem; margin: 0 auto 1rem; }
.qr svg { display: block; width: 100%; }
.codes { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .3rem; font-size: 1.1rem; }
.notice { border-left: .3rem solid var(--accent); background: var(--accent-soft); border-radius: .4rem; padding: .75rem 1rem; margin: 0 0 1.25rem; }
.notice.bad { border-color: var(--danger); background: var(--danger-soft); }
.notice.good { background: var(--good-soft); }
.notice p:last-child { margin: 0; }
.card { border: 1px solid var(--line); border-radius: .6rem; padding: .85rem 1rem; margin: 0 0 1.25rem; }
.card strong { font-size: 1.1rem; }
.card strong, .rows strong { display: block; }
.sheet > h2:first-child, :is(.rows, .card) h2 { margin-top: 0; }
.rows p { margin: 0; }
ul.ticks { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .3rem 1rem; }
ul.ticks li { padding-left: 1.4rem; text-indent: -1.4rem; }
ul.ticks li::before { content: "✓"; color: var(--accent); font-weight: 700; margin-right: .5rem; text-indent: 0; display: inline-block; width: .9rem; }
ul.rows { list-style: none; margin: 1rem 0 0; padding: 0; }
ul.rows > li { border-top: 1px solid var(--line); padding: .9rem 0; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
ul.rows > li > :first-child { flex: 1 1 15rem; }
ul.rows form { margin: 0; }
ul.rows + p, form + p { margin: 1rem 0 0; }
a.row { display: block; color: inherit; text-decoration: none; border-radius: .4rem; }
a.row strong { color: var(--accent); text-decoration: underline; text-underline-offset: .15em; }
.search { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0 1rem; align-items: end; }
.search .field { margin-bottom: .9rem; }
.search .actions { grid-column: auto / span 2; margin-top: 0; }
h1, .name, .text, dd, pre, textarea { unicode-bidi: plaintext; }
h1, .name { text-align: left; }
main :is(a, b, strong, .kind, .small), .bar button { unicode-bidi: isolate; }
code { font: .95em/1.4 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
textarea { resize: vertical; line-height: 1.5; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; color: var(--quiet); }
.whose { display: flex; gap: 1rem; align-items: center; margin-bottom: .75rem; }
.whose h1, .whose p { margin: 0; }
.whose .name { font-size: 1.25rem; font-weight: 700; }
.whose img { border-radius: .6rem; object-fit: cover; border: 1px solid var(--line); }
p.why { margin: 1rem 0 0; }
.views { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem; margin: 0 0 1.25rem; }
.views a { padding: .45rem .9rem; border-radius: .5rem; text-decoration: none; min-height: 2.5rem; display: inline-flex; align-items: center; }
.views a:hover { text-decoration: underline; }
.views a[aria-current] { background: var(--accent); color: var(--accent-ink); }
.columns .sheet, .aside .sheet { padding: 1.25rem; }
.columns .sheet { margin: 0 0 1.25rem; }
/* What is current takes a line where there is room, and the lines two columns. */
.columns ul.facts { columns: 24rem 2; column-gap: 2.5rem; line-height: 1.4; }
.columns ul.facts > li { flex-flow: row wrap; gap: 0 .75rem; align-items: baseline; padding: .2rem 0; border-top: 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.columns .head { flex: 1 1 auto; }
.columns .head:nth-last-child(3) { flex-basis: 100%; }
.columns h3 { margin-top: .75rem; }
.columns p.small { margin: .4rem 0 .2rem; }
.columns tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .75rem; border-top: 1px solid var(--line); padding: .2rem 0; }
.columns th { border: 0; padding: 0; }
.columns td { display: contents; }
.columns td > div { grid-column: 1 / -1; }
.charts .sheet { margin: 0; }
.sheet + .charts { margin-top: 1.25rem; }
.aside { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: 1.25rem; align-items: start; }
.aside > :only-child { grid-column: 1 / -1; }
.measured { gap: 0 1.25rem; }
.sheet h2:first-child { margin-top: 0; }
ul.facts, ul.kinds { list-style: none; margin: 0; padding: 0; }
ul.facts > li { padding: .5rem 0; border-top: 1px solid var(--line); display: flex; flex-direction: column; gap: .1rem; }
ul.facts > li:first-child { border-top: 0; }
ul.days > li { display: block; padding: .3rem 0; border: 0; }
.said { display: flex; flex-flow: row wrap; gap: 0 .75rem; align-items: baseline; }
.facts .head { display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: baseline; }
.facts .head a, .facts .head b { font-weight: 600; }
.kind { font-size: .85rem; color: var(--quiet); }
ul.pairs { list-style: none; margin: 0; padding: 0; columns: 18rem 2; column-gap: 2.5rem; }
.pairs li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .75rem; padding: .15rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
ul.inline { display: flex; flex-wrap: wrap; gap: 0 1rem; }
ul.kinds li { padding: .2rem 0; }
.sheet dl { margin: 0; }
.sheet dl > div { padding: .5rem 0; border-top: 1px solid var(--line); display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 3fr); gap: 0 1rem; }
.sheet dt { color: var(--quiet); grid-column: 1; }
.sheet dd { margin: 0; grid-column: 2; }
.sheet dd dl { margin: .25rem 0 0; padding-left: .75rem; border-left: 2px solid var(--line); font-size: .95em; }
.sheet dd dl > div { border: 0; padding: .15rem 0; }
.text { white-space: pre-wrap; max-width: 42rem; }
.file img { max-width: 100%; max-height: 32rem; border: 1px solid var(--line); border-radius: .5rem; }
pre { overflow: auto; max-height: 30rem; background: var(--ground); padding: 1rem; border-radius: .5rem; font-size: .85rem; }
summary { cursor: pointer; padding: .4rem 0; color: var(--accent); min-height: 2rem; }
td summary { padding: 0; }
.charts { margin-bottom: 1.25rem; align-items: start; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); gap: 1.25rem; }
.trend h2 { margin: 0; }
.latest { margin: 0 0 .5rem; }
.latest strong { font-size: 1.25rem; }
.outside { white-space: nowrap; color: var(--danger); border: 1px solid var(--danger); border-radius: .4rem; padding: 0 .4rem; font-size: .85rem; }
.outside.critical { background: var(--danger); color: var(--sheet); }
.past { color: var(--quiet); }
.past a { color: inherit; }
.past .outside, .past .outside.critical { color: inherit; border-color: currentcolor; background: none; }
.strip { background: var(--sheet); border: 1px solid var(--danger); border-left-width: .3rem; border-radius: .5rem; padding: .5rem 1rem; margin: 0 0 1.25rem; }
.strip.calm { border-color: var(--line); }
.strip p { margin: .1rem 0; }
.strip .name { font-weight: 700; margin-right: .75rem; }
.strip ul { columns: 30rem; column-gap: 1.5rem; list-style: none; margin: 0; padding: 0; }
.fact { margin-right: .75rem; }
.when { width: 100%; }
.day { white-space: nowrap; }
.tag { border: 1px solid var(--quiet); border-radius: .4rem; padding: 0 .4rem; font-size: .85rem; white-space: nowrap; }
.thumb { height: 4rem; width: 4rem; object-fit: cover; vertical-align: middle; border: 1px solid var(--line); border-radius: .3rem; }
.columns caption { padding-top: .4rem; }
.columns details, .days details { font-size: .92rem; }
svg.chart .target { stroke: var(--line2); stroke-width: 2; stroke-dasharray: 8 5; }
.line circle.flagged { fill: var(--danger); }
svg.chart { display: block; width: 100%; height: auto; overflow: visible; }
svg.bounded { max-width: 36rem; }
svg.chart text { fill: var(--quiet); font-size: 14px; }
svg.chart .name { fill: var(--ink); }
svg.chart .grid { stroke: var(--line); stroke-width: 1; }
svg.chart .tick { stroke: var(--quiet); stroke-width: 1; }
svg.chart .band { fill: var(--band); }
.bar0 { fill: var(--line0); stroke: var(--line0); } .bar1 { fill: var(--line1); stroke: var(--line1); } .bar2 { fill: var(--line2); stroke: var(--line2); } .bar3 { fill: var(--line3); stroke: var(--line3); }
.bar1 { fill-opacity: .5; } .bar2 { fill-opacity: 0; } .bar3 { fill-opacity: .25; stroke-dasharray: 3 2; }
.bars.abnormal { fill: var(--danger); stroke: var(--danger); } .line.abnormal, .line.abnormal circle { stroke: var(--danger); }
.line polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
.line0 { stroke: var(--line0); } .line1 { stroke: var(--line1); } .line2 { stroke: var(--line2); } .line3 { stroke: var(--line3); }
.line circle { stroke: var(--sheet); stroke-width: 1.5; }
.dense polyline { stroke-width: 1; } .dense circle { stroke: none; }
.line0 circle { fill: var(--line0); } .line1 circle { fill: var(--line1); }
.line2 circle { fill: var(--line2); } .line3 circle { fill: var(--line3); }
.line1 polyline { stroke-dasharray: 7 4; } .line2 polyline { stroke-dasharray: 2 4; } .line3 polyline { stroke-dasharray: 10 3 2 3; }
.line .gap { stroke-width: 1; stroke-dasharray: 1 5; }
.sample { display: inline-block; margin-right: 1rem; }
.sample svg { width: 2rem; height: .5rem; margin-right: .4rem; vertical-align: middle; }
.legend { margin: .25rem 0; }
/* Words stay whole, so that columns share the width; what is still too wide is moved sideways. */
.scroll { overflow-x: auto; }
table { overflow-wrap: break-word; border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--quiet); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); font-weight: 400; }
thead th { font-weight: 600; border-top: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.code { display: block; font-size: 1.25rem; padding: 1rem; background: var(--ground); border: 1px dashed var(--quiet); border-radius: .5rem; user-select: all; word-break: break-all; }
@media (max-width: 30rem) {
  main { padding: 1rem .75rem 2rem; }
  .actions > * { flex: 1 1 100%; }
  .search .actions { grid-column: auto; }
  .bar { padding: .6rem 1rem; }
  .brand { flex: 1 1 100%; }
  table:is(.stacked, .compact) thead { position: absolute; clip-path: inset(50%); white-space: nowrap; width: 1px; overflow: hidden; }
  .stacked tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  .stacked td { display: block; padding: 0; border: 0; }
  .compact tr { display: block; padding: .25rem 0; border-top: 1px solid var(--line); font-size: .92rem; line-height: 1.35; }
  .compact td { display: inline; padding: 0; border: 0; }
  .compact td:not(:first-child, :empty)::before { content: " · "; color: var(--quiet); }
  .stacked td[data-column]:not(:empty)::before { content: attr(data-column) ": "; color: var(--quiet); }
  /* A result takes two lines: what it is of, then all else. */
  .results td:nth-child(n + 2), .results details { display: inline; }
  .results details[open] { display: block; }
  .results td[data-column]:nth-child(-n + 2):not(:empty)::before { content: none; }
  .results td[data-column]:nth-child(3):not(:empty)::before { content: " "; }
  .results td[data-column]:nth-child(4):not(:empty)::before { content: " · normal "; }
  .results td[data-column]:nth-child(n + 5):not(:empty)::before { content: " · "; }
  .results summary { display: inline; cursor: pointer; text-decoration: underline dotted; }
}
/* On a phone, what stands beside a name follows it, and begins a line only where there is no room. */
@media (max-width: 30rem) {
  .sheet, :is(.columns, .aside) .sheet { padding: .9rem; }
  :is(.columns, .aside) .sheet { font-size: .95rem; line-height: 1.4; }
  :is(.columns, .aside) .small { font-size: .87rem; }
  .columns .sheet { margin-bottom: .75rem; }
  .columns tr.words { display: block; }
  .aside { row-gap: .75rem; }
  .columns ul.facts > li { display: block; }
  .columns .head { display: inline; margin-right: .4rem; }
  .columns li > .small { display: inline-block; margin-right: .4rem; }
}
@media (max-width: 50rem) {
  .aside { grid-template-columns: minmax(0, 1fr); }
}
@media (min-width: 44rem) {
  ul.days > li { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0 1rem; align-items: baseline; }
}
/* Vital signs, the first, need less room than results, which have three columns. */
@media (min-width: 50rem) {
  .columns.short { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.25rem; }
  .columns.short > .measured { grid-column: 1 / -1; }
  .measured > :first-child { order: 1; }
  .measured > :last-child tr { grid-template-columns: 32% minmax(0, 1fr); }
  .measured > :last-child td { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; padding: 0; border: 0; }
  .measured > :last-child .value { min-width: 8rem; }
  .measured > :last-child td > div { flex: 1 1 12rem; }
}
/* A chart alone has its numbers beside it. */
@media screen and (min-width: 60rem) {
  .charts.one { grid-template-columns: 1fr; }
  .one .trend { display: grid; grid-template: repeat(5, auto) 1fr / minmax(0, 36rem) minmax(0, 1fr); gap: 0 2rem; }
  .one .trend > * { grid-column: 1; }
  .one .trend > details { grid-area: 1 / 2 / -1 / 3; }
}
@media (max-width: 36rem) {
  .sheet dl > div { grid-template-columns: minmax(0, 1fr); }
  .sheet dd { grid-column: 1; }
}
@media print {
  :root { color-scheme: light; --ground: #ffffff; --shadow: none; }
  header, .views, .noprint, .actions, .skip, summary { display: none; }
  /* What is folded is on paper; a browser that cannot open it says how much is missing. */
  .rest > summary { display: list-item; }
  @supports selector(::details-content) {
    .rest > summary { display: none; }
    .rest::details-content { content-visibility: visible; display: block; }
  }
  main, .wide main { max-width: none; padding: 0; }
  .sheet { border: 0; padding: 0; margin: 0 0 1rem; }
  .charts { grid-template-columns: 1fr 1fr; }
  .trend, ul.facts > li, tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
@media (prefers-reduced-motion: no-preference) { button, .button { transition: filter .12s; } }
`;

/** The hash of the style for the content security policy, so that injected styles are blocked. */
export const styleSource = sourceOf(style);

/** Returns a style's hash source for the content security policy. */
export function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
