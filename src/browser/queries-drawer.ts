import { analysisFileName, analysisText } from '../analysts/analyses/analysis-text.js';
import type { ListedQueries, ListedQuery } from '../pages/listed-queries.js';
import { button, element, need, save as saveFile } from './dom.js';
import type { QueryMemory } from './query-memory.js';
import type { SavedQueries } from './account-queries.js';

/** Queries that are shown of the latest ones. */
const SHOWN = 15;

export interface QueriesDrawer {
  /** Draws what is remembered now. */
  refresh(): void;
}

/** What the drawer is made of. */
export interface QueriesDrawerParts {
  /** What this browser remembers. */
  readonly memory: QueryMemory;
  /** What the container holds. */
  readonly saved: SavedQueries;
  current(): string;
  open(query: string): void;
}

/** Queries of the account, those that other analysts share, and the latest ones: each can be opened, own ones removed. */
export function queriesDrawer({ memory, saved, current, open }: QueriesDrawerParts): QueriesDrawer {
  const drawer = need('queries', HTMLDetailsElement);
  const field = (name: string, placeholder: string, maxlength: string): HTMLInputElement =>
    element('input', { type: 'text', maxlength, 'aria-label': name, placeholder });
  const name = field('Name of the query', 'Name', '80');
  const description = field('Description of the query', 'Description', '500');
  const isShared = element('input', { type: 'checkbox' });
  const said = element('span', { class: 'quiet small', role: 'status' });
  const lists = element('div');
  let listed: ListedQueries = { own: [], shared: [] };

  const draft = () => ({
    title: name.value.trim() || titleOf(current()),
    description: description.value.trim(),
    query: current(),
  });
  /** Does something to what the container holds, draws what it holds then, and says what came of it. */
  const change = async (work: () => Promise<void>, done: string): Promise<void> => {
    try {
      await work();
      listed = await saved.list();
      said.textContent = done;
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : 'It failed; try again.';
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
      // Enter would send the form.
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
    const lately = memory.lately
      .slice(0, SHOWN)
      .map((query) => element('li', {}, opening(query, titleOf(query))));
    const groups = [
      group('Saved', listed.own.map(ownRow)),
      group('Shared by others', listed.shared.map(sharedRow)),
      group('Saved in this browser', memory.saved.map(rememberedRow)),
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
        saveFile(analysisFileName(made.title), new Blob([analysisText(made)], { type: 'text/plain' }));
      }),
      said,
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
