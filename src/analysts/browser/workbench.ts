import type { QueryVocabulary } from '../query-vocabulary.js';
import { askQuery, type Outcome } from './ask-query.js';
import { cellWriter } from './cells.js';
import { need } from './dom.js';
import { createEditor } from './editor.js';
import { offersOf } from './offers.js';
import { parameterForm } from './parameter-form.js';
import { programsDrawer } from './programs-drawer.js';
import { queriesDrawer } from './queries-drawer.js';
import { resultsPanel } from './results-panel.js';
import { queryMemory, savedQueries } from './kept-queries.js';
import { linksOfNode } from './links-of-node.js';
import { schemaPanel } from './schema-panel.js';
import { withPattern } from './written-pattern.js';

// The script of the workbench. The page also works without it, as a form; the script turns the form into an
// editor.

/** Storage key of the purpose; it is kept until the tab is closed. */
const PURPOSE = 'chartgraph-purpose';

async function start(): Promise<void> {
  const {
    vocabulary: address = '',
    counts = '',
    sparql = '',
    queries = '',
    nonce = '',
    reader = '',
  } = need('workbench', HTMLElement).dataset;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the vocabulary was answered with ${response.status}`);
  const vocabulary = (await response.json()) as QueryVocabulary;

  const form = need('ask', HTMLFormElement);
  const field = need('query', HTMLTextAreaElement);
  const purpose = need('purpose', HTMLInputElement);
  const runButton = need('run', HTMLButtonElement);
  const cancelButton = need('cancel', HTMLButtonElement);
  const results = resultsPanel(cellWriter(vocabulary.prefixes), (iri) => {
    show(linksOfNode(iri));
    void run();
  });
  const memory = queryMemory(localStorage, reader);
  purpose.value ||= sessionStorage.getItem(PURPOSE) ?? '';

  const parameters = parameterForm();
  parameters.refresh(field.value);

  let running: AbortController | undefined;
  const editor = createEditor({
    parent: need('editor', HTMLElement),
    text: field.value,
    labelledBy: 'query-label',
    describedBy: 'keys',
    nonce,
    offers: offersOf(vocabulary),
    onRun: () => void run(),
    onChange: () => {
      // The browser restores this field when the user comes back to the page.
      field.value = editor.text();
      parameters.refresh(field.value);
    },
  });
  const drawQueries = queriesDrawer({
    prefixes: vocabulary.prefixes,
    memory,
    saved: savedQueries(queries),
    current: editor.text,
    open: show,
  });
  programsDrawer(new URL(sparql, location.href).href, () => parameters.bound(editor.text()));
  schemaPanel({
    vocabulary,
    counts,
    write: (className, property) => {
      const { text, cursor } = withPattern(editor.text(), className, property);
      editor.replace(text, cursor);
      editor.focus();
    },
  });
  for (const id of ['keys', 'drawers']) need(id, HTMLElement).hidden = false;
  field.hidden = true;

  function show(query: string): void {
    editor.replace(query);
    editor.focus();
  }

  async function run(): Promise<void> {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const text = editor.text();
    sessionStorage.setItem(PURPOSE, purpose.value);
    memory.ran(text);
    drawQueries();
    editor.remark([]);
    results.say('The query runs.');
    cancelButton.hidden = false;
    const outcome = await answerTo(text, controller.signal);
    if (running !== controller) return;
    running = undefined;
    if (document.activeElement === cancelButton) runButton.focus();
    cancelButton.hidden = true;
    results.show(outcome);
    if (outcome.kind === 'refused') editor.remark(outcome.remarks);
    else if (outcome.kind !== 'cancelled') editor.remark(outcome.facts.warnings);
  }

  /** Runs a query with its parameters; an invalid one gets the focus. */
  async function answerTo(text: string, signal: AbortSignal): Promise<Outcome> {
    let query: string;
    try {
      query = parameters.bound(text);
    } catch (error) {
      parameters.focusRefused();
      return { kind: 'refused', message: sentenceOf(error), remarks: [] };
    }
    return askQuery(sparql, { query, purpose: purpose.value.trim() }, signal);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run();
  });
  cancelButton.addEventListener('click', () => running?.abort());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && running && !event.defaultPrevented) running.abort();
  });
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : 'it failed');

start().catch((error: unknown) => {
  need('status', HTMLElement).textContent =
    `The editor could not start (${sentenceOf(error)}); load the page again, or send the query with Run.`;
});
