import { sourceOf } from '../../http/html/style.js';
import { Html } from '../../http/html/html.js';

/** Styles of the workbench in addition to those of all pages. The prefixes cm- and tok- are the editor's. */
const style = `
.wide:has(.workbench) main, .wide:has(.workbench) .bar { max-width: 110rem; }
.wide:has(.workbench) main { padding-top: 1.25rem; }
.workbench [hidden] { display: none; }
.workbench .title { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; margin-bottom: 1rem; }
.workbench .title h1, .workbench .title p { margin: 0; }
.workbench .level { background: var(--good-soft); border-radius: .4rem; padding: .1rem .6rem; font-size: .92rem; }
.panes { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; align-items: start; }
.panes:has(.schema:not([hidden])) { grid-template-columns: minmax(0, 19rem) minmax(0, 1fr); }
.work { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
.pane { background: var(--sheet); border: 1px solid var(--line); border-radius: .9rem; padding: 1.1rem 1.25rem; box-shadow: var(--shadow); min-width: 0; }
.pane h2 { margin: 0 0 .5rem; font-size: 1.1rem; }
.pane h3 { margin: .75rem 0 .25rem; }
.pane:focus { outline: none; }
.ask textarea, .cm-editor .cm-scroller, .pattern { min-width: 13rem; font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9rem; overflow-wrap: anywhere; }
.whole-cell { font: .92rem/1.55 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.workbench .cm-editor { border: 1px solid var(--quiet); border-radius: .5rem; background: var(--ground); color: var(--ink); }
.workbench .cm-editor.cm-focused { outline: 3px solid var(--accent); outline-offset: 1px; }
.workbench .cm-editor .cm-scroller { min-height: 12rem; max-height: 60vh; overflow: auto; }
.workbench .cm-editor .cm-content { caret-color: var(--ink); padding: .6rem 0; }
.workbench .cm-editor .cm-gutters { background: transparent; color: var(--quiet); border: 0; }
.workbench .cm-editor .cm-matchingBracket { background: var(--band); color: inherit; }
.workbench .cm-editor .cm-nonmatchingBracket { background: var(--danger-soft); color: var(--danger); }
.workbench .cm-editor .cm-tooltip { background: var(--sheet); color: var(--ink); border: 1px solid var(--quiet); border-radius: .4rem; overflow: hidden; }
.workbench .cm-editor .cm-tooltip-autocomplete > ul { font: inherit; max-width: min(34rem, 86vw); }
.workbench .cm-editor .cm-tooltip-autocomplete > ul > li { padding: .25rem .6rem; line-height: 1.4; }
.workbench .cm-editor .cm-tooltip-autocomplete > ul > li[aria-selected] { background: var(--accent); color: var(--accent-ink); }
.workbench .cm-editor .cm-completionDetail { font-style: normal; color: var(--quiet); margin-left: .75rem; }
.workbench .cm-editor li[aria-selected] .cm-completionDetail { color: inherit; }
.workbench .cm-editor .cm-completionInfo { max-width: 22rem; padding: .5rem .75rem; font: .9rem/1.4 system-ui, sans-serif; }
.workbench .cm-editor .cm-lintRange { background-image: none; text-decoration: underline wavy var(--danger); text-underline-offset: .2em; }
.workbench .cm-editor .cm-lintRange-error { background: var(--danger-soft); }
.workbench .cm-editor .cm-lintRange-warning { text-decoration-color: var(--line3); }
.workbench .cm-editor .cm-lintPoint::after { border-bottom-color: var(--danger); }
.workbench .cm-editor .cm-diagnostic { padding: .5rem .75rem; border-left: .3rem solid var(--danger); font: .92rem/1.4 system-ui, sans-serif; max-width: 34rem; }
.workbench .cm-editor .cm-diagnostic-warning { border-color: var(--line3); }
.tok-keyword, .tok-bool { color: var(--line2); font-weight: 600; }
.tok-variableName { color: var(--accent); }
.tok-string, .tok-string2, .tok-url { color: var(--line1); }
.tok-number { color: var(--line3); }
.tok-comment, .tok-meta { color: var(--quiet); font-style: italic; }
.tok-namespace, .tok-typeName { color: var(--ink); }
.workbench .toolbar { display: flex; flex-wrap: wrap; gap: .6rem .75rem; align-items: center; margin: .75rem 0; }
.workbench .toolbar.ends { justify-content: space-between; }
.workbench .toolbar p { margin: 0; }
.ask > .toolbar { margin-bottom: .25rem; }
.ask #keys { margin: .4rem 0 0; }
.parameters { border: 0; margin: .75rem 0 0; padding: 0; min-width: 0; }
.parameters legend { padding: 0; font-weight: 700; }
.parameters .search { margin: .4rem 0 0; align-items: start; }
.parameters [aria-invalid=true] { border-color: var(--danger); }
.purpose { display: flex; align-items: center; gap: .6rem; flex: 1 1 16rem; }
.purpose label { margin: 0; white-space: nowrap; }
.workbench button.small { min-height: 2.4rem; padding: .2rem .85rem; font-size: .95rem; }
.workbench button.small[aria-pressed=true] { background: var(--accent); color: var(--accent-ink); border-color: var(--accent); }
.workbench button.plain { min-height: 1.75rem; text-align: left; justify-content: flex-start; }
.workbench button.quiet { color: var(--quiet); font-size: .9rem; }
.workbench input[type=search], .workbench .drawer input[type=text] { width: auto; flex: 0 1 16rem; min-height: 2.4rem; padding: .3rem .7rem; min-width: 0; }
.group { display: flex; flex-wrap: wrap; gap: .4rem; }
.drawers { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-top: .25rem; }
.drawers details[open] { flex: 1 1 100%; min-width: 0; }
.drawer { padding: 0 0 .5rem; }
.drawer > :first-child { margin-top: .25rem; }
.plain-list { list-style: none; margin: 0; padding: 0; }
.plain-list li { min-width: 0; }
.drawer li { display: flex; gap: 1rem; align-items: baseline; }
.choice { display: flex; align-items: center; gap: .45rem; font-size: .95rem; }
.choice span { font-weight: 600; }
.choice select { width: auto; min-height: 2.4rem; padding: .2rem .6rem; max-width: 14rem; }
.values { display: flex; flex-wrap: wrap; gap: .2rem .8rem; border: 0; margin: 0; padding: 0; font-size: .95rem; align-items: center; }
.values legend { float: left; font-weight: 600; padding: 0; margin-right: .5rem; }
.values .box { font-weight: 400; margin: 0; }
.status { margin: 0 0 .75rem; color: var(--quiet); font-size: .95rem; }
.status:empty { display: none; }
.answer { font-size: 1.6rem; font-weight: 700; margin: 0; }
.rows-pane { overflow: auto; max-height: min(34rem, 75vh); border: 1px solid var(--line); border-radius: .5rem; }
.rows-pane table { table-layout: fixed; width: 100%; font-size: .95rem; }
.rows-pane tbody tr { height: 34px; }
.rows-pane tbody:not(.spacer) td { border: 0; box-shadow: inset 0 1px var(--line); }
.rows-pane th, .rows-pane td { height: 34px; padding: 0 .75rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; vertical-align: middle; }
.rows-pane .spacer td { padding: 0; border: 0; }
.rows-pane thead th { position: sticky; top: 0; background: var(--ground); z-index: 1; padding: 0; }
.rows-pane tbody:not(.spacer) tr:hover { background: var(--accent-soft); }
.rows-pane .number { text-align: right; font-variant-numeric: tabular-nums; }
.workbench .sorter { width: 100%; min-height: 34px; padding: 0 .75rem; border: 0; border-radius: 0; background: none; color: inherit; justify-content: flex-start; overflow: hidden; text-overflow: ellipsis; }
.number .sorter { justify-content: flex-end; }
th[aria-sort=ascending] .sorter::after { content: "▲" / ""; font-size: .7rem; margin-left: .4rem; }
th[aria-sort=descending] .sorter::after { content: "▼" / ""; font-size: .7rem; margin-left: .4rem; }
.workbench .sorter:focus-visible { outline-offset: -3px; }
.whole-cell { background: var(--ground); border-radius: .5rem; padding: .5rem .75rem; margin: .6rem 0 0; white-space: pre-wrap; }
.drawing { margin: 0; background: var(--sheet); }
.drawing figcaption { color: var(--quiet); margin-bottom: .4rem; }
.schema { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; }
.schema h2 { margin: 0; }
.schema section:not(:has(li:not([hidden]))) { display: none; }
.workbench .schema h2 button { font-weight: 700; color: inherit; text-decoration: none; width: 100%; }
.schema h2 button::after { content: "▾"; margin-left: auto; }
.schema h2 button[aria-expanded=false]::after { content: "▸"; }
.workbench .schema input[type=search] { width: 100%; margin: .5rem 0; }
.schema summary { display: flex; gap: .5rem; align-items: baseline; color: inherit; padding: .25rem 0; min-height: 1.9rem; }
.schema summary::before { content: "▸"; color: var(--accent); }
.schema details[open] > summary::before { content: "▾"; }
.schema summary .small { margin-left: auto; }
.class-inside { border-left: 2px solid var(--line); padding-left: .75rem; margin: 0 0 .5rem .25rem; }
.class-inside li { padding: .15rem 0; display: flex; flex-direction: column; }
.workbench .pattern { text-decoration: none; overflow-wrap: anywhere; }
.workbench .pattern:hover { text-decoration: underline; }
.examples { color: var(--quiet); font-style: italic; }
@media (max-width: 60rem) {
  .panes:has(.schema:not([hidden])) { grid-template-columns: minmax(0, 1fr); }
  .schema { position: static; max-height: none; }
  .schema #schema-list { max-height: 50vh; overflow: auto; }
}
@media (max-width: 30rem) {
  .pane { padding: .9rem; }
  .purpose { flex-wrap: wrap; }
}
@media print { .schema, .ask, .workbench .toolbar { display: none; } .rows-pane { max-height: none; overflow: visible; } }
`;

export const workbenchSheet = new Html(`<style>${style}</style>`);

/** The hash of the style for the content security policy. */
export const workbenchStyleSource = sourceOf(style);
