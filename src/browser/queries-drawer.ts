import { button, element, need } from './dom.js';
import type { QueryMemory } from './query-memory.js';

/** Queries that are shown of the latest ones. */
const SHOWN = 15;

export interface QueriesDrawer {
  /** Draws what is remembered now. */
  refresh(): void;
}

/** Saved queries and the latest ones: each can be opened, saved ones forgotten. */
export function queriesDrawer(
  memory: QueryMemory,
  { current, open }: { current(): string; open(query: string): void },
): QueriesDrawer {
  const drawer = need('queries', HTMLDetailsElement);
  const list = need('queries-list', HTMLElement);
  const name = element('input', {
    type: 'text',
    maxlength: '80',
    'aria-label': 'Name of the query',
    placeholder: 'Name',
  });
  const save = (): void => {
    const query = current();
    memory.save({ name: name.value.trim() || titleOf(query), query });
    name.value = '';
    refresh();
  };
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    // Enter would send the form.
    event.preventDefault();
    save();
  });
  const opening = (query: string, text: string): HTMLButtonElement =>
    button(
      text,
      () => {
        drawer.open = false;
        open(query);
      },
      { class: 'plain' },
    );

  function refresh(): void {
    const { saved, lately } = memory;
    const group = (title: string, items: readonly HTMLElement[]): HTMLElement =>
      element('div', {}, element('h3', {}, title), element('ul', { class: 'plain-list' }, ...items));
    list.replaceChildren(
      element('div', { class: 'toolbar' }, name, button('Save this query', save)),
      ...(saved.length === 0
        ? []
        : [
            group(
              'Saved',
              saved.map(({ name: title, query }) =>
                element(
                  'li',
                  {},
                  opening(query, title),
                  button(
                    'Forget',
                    () => {
                      memory.forget(title);
                      refresh();
                    },
                    { class: 'plain quiet', 'aria-label': `Forget ${title}` },
                  ),
                ),
              ),
            ),
          ]),
      ...(lately.length === 0
        ? []
        : [
            group(
              'Lately',
              lately.slice(0, SHOWN).map((query) => element('li', {}, opening(query, titleOf(query)))),
            ),
            button(
              'Forget these',
              () => {
                memory.clear();
                refresh();
              },
              { class: 'plain' },
            ),
          ]),
      element(
        'p',
        { class: 'quiet small' },
        'This browser remembers the texts of queries, and nothing of their answers.',
      ),
    );
  }
  refresh();
  return { refresh };
}

/** What a query is called that has no name: its first comment, or how it begins. */
function titleOf(query: string): string {
  const comment = /^\s*#+\s*(\S.*)$/mu.exec(query)?.[1];
  const text =
    comment ??
    query
      .replaceAll(/\bPREFIX\s+\S*\s*<[^>]*>/giu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim();
  return text.length > 70 ? `${text.slice(0, 69)}…` : text || 'Empty query';
}
