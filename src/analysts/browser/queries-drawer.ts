import { analysisFileName, analysisText } from '../../model/analyses/analysis-text.js';
import type { ListedQueries, ListedQuery } from '../workbench/workbench-data.js';
import { button, element, need, save as saveFile } from './dom.js';
import type { QueryMemory, SavedQueries } from './kept-queries.js';

const SHOWN = 15;

interface QueriesDrawerParts {
  readonly prefixes: Readonly<Record<string, string>>;
  readonly memory: QueryMemory;
  readonly saved: SavedQueries;
  current(): string;
  open(query: string): void;
}

/** Lists queries: own, shared and recent ones. @returns a function that redraws them */
export function queriesDrawer({ prefixes, memory, saved, current, open }: QueriesDrawerParts): () => void {
  const drawer = need('queries', HTMLDetailsElement);
  const field = (name: string, placeholder: string, maxlength: string): HTMLInputElement =>
    element('input', { type: 'text', maxlength, 'aria-label': name, placeholder });
  const name = field('Name of the query', 'Name', '80');
  const description = field('Description of the query', 'Description', '500');
  const isShared = element('input', { type: 'checkbox' });
  const status = element('span', { class: 'quiet small', role: 'status' });
  const lists = element('div');
  let listed: ListedQueries = { own: [], shared: [] };

  const draft = () => ({
    title: name.value.trim() || titleOf(current()),
    description: description.value.trim(),
    query: current(),
  });
  /** Makes a change in the container, then reloads and redraws the lists and reports the result. */
  const change = async (work: () => Promise<void>, done: string): Promise<void> => {
    try {
      await work();
      listed = await saved.list();
      status.textContent = done;
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : 'It failed; try again.';
    }
    refresh();
  };
  const save = (): Promise<void> =>
    change(async () => {
      await saved.save({ ...draft(), isShared: isShared.checked });
      for (const each of [name, description]) each.value = '';
      isShared.checked = false;
    }, 'Saved.');
  for (const each of [name, description]) {
    each.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      void save();
    });
  }
  const opening = (query: string, text: string): HTMLButtonElement =>
    button(
      text,
      () => {
        drawer.open = false;
        open(query);
      },
      { class: 'plain' },
    );
  const quiet = (text: string, about: string, work: () => void): HTMLButtonElement =>
    button(text, work, { class: 'plain quiet', 'aria-label': `${text} ${about}` });
  const note = (text: string): HTMLElement | false =>
    text !== '' && element('span', { class: 'quiet small' }, text);

  const ownRow = ({ id, title, isShared: shares, ...query }: ListedQuery): HTMLElement =>
    element(
      'li',
      {},
      opening(query.query, title),
      note(query.description),
      quiet(shares ? 'Stop sharing' : 'Share', title, () => {
        const next = { title, description: query.description, query: query.query, isShared: !shares };
        void change(() => saved.save(next), shares ? 'It is yours alone.' : 'All analysts see it.');
      }),
      quiet('Remove', title, () => void change(() => saved.remove(id), 'Removed.')),
    );
  const sharedRow = ({ title, query, user, description: text }: ListedQuery): HTMLElement =>
    element('li', {}, opening(query, title), note([text, `by ${user}`].filter(Boolean).join(' · ')));
  const rememberedRow = ({ name: title, query }: { name: string; query: string }): HTMLElement =>
    element(
      'li',
      {},
      opening(query, title),
      quiet('Forget', title, () => {
        memory.forget(title);
        refresh();
      }),
    );
  const group = (title: string, items: readonly HTMLElement[]): HTMLElement | undefined =>
    items.length === 0
      ? undefined
      : element('div', {}, element('h3', {}, title), element('ul', { class: 'plain-list' }, ...items));

  function refresh(): void {
    const lately = memory
      .held()
      .lately.slice(0, SHOWN)
      .map((query) => element('li', {}, opening(query, titleOf(query))));
    const groups = [
      group('Saved', listed.own.map(ownRow)),
      group('Shared by others', listed.shared.map(sharedRow)),
      group('Saved in this browser', memory.held().saved.map(rememberedRow)),
      group('Lately', lately),
      lately.length > 0 &&
        button(
          'Forget these',
          () => {
            memory.clear();
            refresh();
          },
          { class: 'plain' },
        ),
    ];
    lists.replaceChildren(...groups.filter((each) => each instanceof HTMLElement));
  }

  need('queries-list', HTMLElement).append(
    element('div', { class: 'toolbar' }, name, description),
    element(
      'div',
      { class: 'toolbar' },
      element('label', { class: 'box' }, isShared, ' Share with all analysts'),
      button('Save this query', () => void save()),
      button('Save as analysis', () => {
        const made = draft();
        saveFile(
          analysisFileName(made.title),
          new Blob([analysisText(made, prefixes)], { type: 'text/plain' }),
        );
      }),
      status,
    ),
    lists,
    element(
      'p',
      { class: 'quiet small' },
      'Saved queries are held by the container, and nobody else sees yours unless you share them. This browser remembers the latest texts, and nothing of their answers. Do not type names of people into queries.',
    ),
  );
  drawer.addEventListener('toggle', () => {
    if (drawer.open) void change(() => Promise.resolve(), '');
  });
  refresh();
  return refresh;
}

/** Returns a title for a query without a name: its first comment, or its beginning. */
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
