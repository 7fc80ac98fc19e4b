import { Html } from '../../http/html/html.js';
import { style, sourceOf } from '../../http/html/style.js';

/** Styles of the documentation in addition to those of all pages: contents, tables, code. */
const additions = `
:root { --code: #f5f8f8; --tag: #0b6671; --string: #7a4a12; --note: #5d6f77; --read: #0b6671; --write: #8a4b00; --remove: #a3262a; }
@media screen and (prefers-color-scheme: dark) {
  :root { --code: #131d21; --tag: #7fd3dc; --string: #e5b884; --note: #8fa5ad; --read: #63c6d0; --write: #f0b35f; --remove: #ff9b94; }
}
html { scroll-padding-top: 4.75rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body.docs { display: block; }
.docs header { position: sticky; top: 0; z-index: 3; }
.docs .bar { max-width: 86rem; min-height: 3.75rem; padding-top: .4rem; padding-bottom: .4rem; }
.docs .bar nav a, .docs .menu { color: inherit; text-decoration: none; padding: .35rem 0; font-size: .95rem; }
.docs .bar nav a:hover, .docs .bar nav a[aria-current] { color: var(--accent); }
.docs .bar nav a[aria-current] { font-weight: 600; }
.frame { max-width: 86rem; margin: 0 auto; display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); }
.side { position: sticky; top: 3.8rem; align-self: start; max-height: calc(100vh - 3.8rem); overflow-y: auto; padding: 1.75rem .75rem 3rem 1.25rem; font-size: .92rem; scrollbar-width: thin; }
.side ul { list-style: none; margin: 0; padding: 0; }
.side a { display: block; padding: .22rem .6rem; border-radius: .4rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.side a:has(.method) { display: grid; grid-template-columns: 3.7rem minmax(0, 1fr); align-items: baseline; }
.side a:hover { background: var(--accent-soft); }
.side a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
.side summary { cursor: pointer; padding: .3rem .6rem; font-weight: 600; border-radius: .4rem; list-style-position: outside; margin-left: 1rem; }
.side details { margin: .3rem 0; }
.side details ul { margin: .1rem 0 .5rem .9rem; border-left: 1px solid var(--line); padding-left: .3rem; }
.side .group { margin: .55rem 0 .1rem; padding: 0 .6rem; font-size: .78rem; color: var(--quiet); text-transform: uppercase; letter-spacing: .05em; }
.side .close, .docs .menu { display: none; }
.docs main { max-width: 62rem; margin: 0; padding: 2rem 2rem 5rem 2.5rem; border-left: 1px solid var(--line); min-height: calc(100vh - 3.8rem); background: var(--sheet); }
.docs h1 { font-size: clamp(1.6rem, 1.2rem + 1.6vw, 2.15rem); margin-bottom: .5rem; }
.docs h2 { font-size: 1.3rem; margin: 2.6rem 0 .75rem; letter-spacing: -.005em; }
.docs h3 { font-size: 1.05rem; margin: 1.7rem 0 .5rem; }
.docs h2 .anchor, .docs h3 .anchor { color: var(--quiet); text-decoration: none; opacity: 0; margin-left: .35rem; font-weight: 400; }
.docs :is(h2, h3):hover .anchor, .docs .anchor:focus-visible { opacity: 1; }
.docs :target:not(.side):not(main) { outline: 2px solid var(--accent); outline-offset: .35rem; border-radius: .3rem; }
.docs main > p, .docs main > ul, .docs section > p, .docs section > ul { max-width: 46rem; }
.docs p, .docs li { line-height: 1.6; }
.docs li { margin: .2rem 0; }
.docs .lead { font-size: 1.12rem; color: var(--quiet); }
.docs .crumbs { font-size: .88rem; color: var(--quiet); margin: 0 0 .6rem; }
.docs .iri { display: inline-block; font-size: .86rem; color: var(--quiet); margin: 0 0 1rem; overflow-wrap: anywhere; }
.docs code { font-size: .9em; overflow-wrap: anywhere; }
.docs :is(p, li, td, dd) > code { background: var(--code); border: 1px solid var(--line); border-radius: .3rem; padding: .06em .32em; }
.docs td code, .docs th code { overflow-wrap: normal; white-space: nowrap; }
.docs td code.long { white-space: normal; }
.docs pre { margin: 0 0 1rem; padding: .95rem 1.1rem; background: var(--code); border: 1px solid var(--line); border-radius: .6rem; overflow: auto; max-height: 34rem; font: .84rem/1.55 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; tab-size: 2; overflow-wrap: normal; scrollbar-width: thin; }
.docs pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
.panel pre { margin-bottom: .5rem; }
pre .t { color: var(--tag); } pre .s { color: var(--string); } pre .c { color: var(--note); }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: .6rem; margin: 0 0 1rem; scrollbar-width: thin; }
.table table { border-collapse: collapse; width: 100%; min-width: 38rem; font-size: .93rem; overflow-wrap: normal; }
.table.slim table { min-width: 24rem; }
.table :is(th, td) { text-align: left; vertical-align: top; padding: .6rem .85rem; border-top: 1px solid var(--line); }
.table thead th { border-top: 0; background: var(--code); font-size: .8rem; color: var(--quiet); font-weight: 600; white-space: nowrap; }
.table tbody th { font-weight: 600; }
.table td p { margin: .2rem 0 0; }
.method { display: inline-block; min-width: 3.6em; font: 700 .74rem/1 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: .03em; color: var(--read); }
.method.write { color: var(--write); } .method.remove { color: var(--remove); }
.address { display: flex; flex-wrap: wrap; gap: .5rem .9rem; align-items: baseline; padding: .8rem 1.1rem; background: var(--accent-soft); border-radius: .6rem; margin: 1rem 0 1.25rem; }
.address .method { min-width: 0; font-size: .9rem; }
.address code { font-size: 1rem; font-weight: 600; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .45rem 1.4rem; margin: 0 0 1rem; }
.facts dt { color: var(--quiet); font-size: .92rem; } .facts dd { margin: 0; }
.tabs > input { position: absolute; opacity: 0; pointer-events: none; }
.tabs > label { display: inline-block; font-weight: 600; font-size: .88rem; padding: .35rem .8rem; margin: 0 .1rem .5rem 0; border-radius: .45rem; cursor: pointer; color: var(--quiet); }
.tabs > label:hover { background: var(--accent-soft); }
.tabs > input:checked + label { background: var(--accent); color: var(--accent-ink); }
.tabs > input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px; }
.tabs > .panel { display: none; }
.tabs > input:nth-of-type(1):checked ~ .panel:nth-of-type(1), .tabs > input:nth-of-type(2):checked ~ .panel:nth-of-type(2), .tabs > input:nth-of-type(3):checked ~ .panel:nth-of-type(3) { display: block; }
.cut { margin: 0 0 1rem; font-size: .88rem; color: var(--quiet); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .9rem; margin: 1.2rem 0; padding: 0; list-style: none; }
.docs .cards { max-width: none; }
.cards > li { margin: 0; }
.cards a { display: block; height: 100%; border: 1px solid var(--line); border-radius: .7rem; padding: .95rem 1.1rem; text-decoration: none; color: inherit; }
.cards a:hover { border-color: var(--accent); }
.cards strong { display: block; color: var(--accent); } .cards span { font-size: .92rem; color: var(--quiet); }
.entry { border-top: 1px solid var(--line); padding: 1.1rem 0 .9rem; }
.entry h3 { margin: 0 0 .25rem; } .entry p { margin: .25rem 0; }
.steps { padding-left: 1.3rem; }
.docs footer { margin-top: 4rem; padding-top: 1.2rem; border-top: 1px solid var(--line); font-size: .88rem; color: var(--quiet); }
@media (max-width: 60rem) {
  .frame { grid-template-columns: minmax(0, 1fr); }
  .docs .bar { padding: .4rem 1rem; }
  .docs .bar .brand { flex: 1 1 0; min-width: 0; }
  .docs .bar nav { display: none; }
  .docs .menu { display: inline-flex; align-items: center; min-height: 2.6rem; padding: 0 .9rem; border: 1px solid var(--line); border-radius: .5rem; }
  .side { display: none; }
  .side:target { display: block; position: fixed; inset: 0; z-index: 4; height: 100%; max-height: none; align-self: stretch; background: var(--sheet); padding: 1rem 1.1rem 4rem; font-size: 1rem; }
  .side:target .close { display: inline-block; padding: .5rem .9rem; margin-bottom: .75rem; border: 1px solid var(--line); }
  .side a { padding: .42rem .6rem; }
  .docs main { border-left: 0; padding: 1.4rem 1.1rem 4rem; max-width: none; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: .05rem; } .facts dd { margin-bottom: .6rem; }
  .docs pre { font-size: .8rem; padding: .8rem .9rem; }
}
@media (max-width: 40rem) {
  .table, .table.slim { border: 0; border-radius: 0; }
  .table table, .table.slim table { display: block; min-width: 0; }
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table :is(tbody, tr, tbody th, td) { display: block; }
  .table tr { border-top: 1px solid var(--line); padding: .7rem 0; }
  .table tbody :is(th, td) { border: 0; padding: .12rem 0; }
  .table tbody td { display: grid; grid-template-columns: 5.2rem minmax(0, 1fr); gap: .6rem; }
  .table tbody td::before { content: attr(data-label); color: var(--quiet); font-size: .86rem; padding-top: .08rem; }
  .docs :is(td, th) code { white-space: normal; overflow-wrap: anywhere; }
}
@media print { .side, .docs header { display: none; } .frame { display: block; } .docs pre { max-height: none; white-space: pre-wrap; } }
`;

const whole = style + additions;

export const docsSheet = new Html(`<style>${whole}</style>`);

export const docsStyleSource = sourceOf(whole);
