import type { ClassWords, PropertyOfClass, QueryVocabulary } from '../query-vocabulary.js';
import type { ClassCounts, PropertyCounts } from '../workbench/workbench-data.js';
import { button, element, need } from './dom.js';

export interface SchemaOptions {
  readonly vocabulary: QueryVocabulary;
  readonly counts: string;
  /** Inserts the pattern of a class into the query, and of a property or path from it. */
  write(className: string, property?: string): void;
}

const kinds: readonly (readonly [ClassWords['kind'], string])[] = [
  ['statement', 'Statements'],
  ['component', 'Parts of them'],
  ['code', 'Codes'],
];

/** Shows the classes in the data with their number of instances, and their properties. */
export function schemaPanel({ vocabulary, counts, write }: SchemaOptions): void {
  const panel = need('schema', HTMLElement);
  const list = need('schema-list', HTMLElement);
  const toggle = need('schema-toggle', HTMLButtonElement);
  const labels = new Map(
    vocabulary.properties.map(({ name, label, comment, iri }) => [name, { label, comment, iri }]),
  );
  panel.hidden = false;
  toggle.setAttribute('aria-controls', 'schema-list');
  const isNarrow = matchMedia('(max-width: 60rem)');
  const fold = (isFolded: boolean): void => {
    list.hidden = isFolded;
    toggle.setAttribute('aria-expanded', String(!isFolded));
  };
  toggle.addEventListener('click', () => fold(!list.hidden));
  isNarrow.addEventListener('change', ({ matches }) => fold(matches));
  fold(isNarrow.matches);
  void load();

  async function load(): Promise<void> {
    list.replaceChildren(element('p', { class: 'quiet small' }, 'The data is being counted.'));
    const found = await ask<ClassCounts>(counts);
    if (typeof found === 'string') return failed(list, found, load);
    const present = vocabulary.classes
      .map((each) => ({ each, count: found[each.iri] ?? 0 }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || a.each.label.localeCompare(b.each.label));
    const items = present.map(({ each, count }) => classItem(each, count));
    const groups = kinds.map(([kind, title]) =>
      element(
        'section',
        {},
        element('h3', {}, title),
        element('ul', { class: 'plain-list' }, ...items.filter((_, at) => present[at]?.each.kind === kind)),
      ),
    );
    const filter = element('input', {
      type: 'search',
      placeholder: 'Find a class',
      'aria-label': 'Find a class',
    });
    filter.addEventListener('input', () => {
      const wanted = filter.value.trim().toLowerCase();
      for (const [at, { each }] of present.entries()) {
        const item = items[at];
        if (item) item.hidden = !`${each.label} ${each.name}`.toLowerCase().includes(wanted);
      }
    });
    list.replaceChildren(filter, ...groups.filter((group) => group.querySelector('li') !== null));
  }

  function classItem(each: ClassWords, count: number): HTMLLIElement {
    const inside = element('div', { class: 'class-inside' });
    const details = element(
      'details',
      {},
      element(
        'summary',
        { title: each.comment },
        element('span', { class: 'class-name' }, each.label || each.name),
        ' ',
        element('span', { class: 'quiet small' }, count.toLocaleString('en')),
      ),
      inside,
    );
    const fill = async (): Promise<void> => {
      inside.replaceChildren(element('p', { class: 'quiet small' }, 'Being counted.'));
      const found = await ask<PropertyCounts>(`${counts}?${new URLSearchParams({ class: each.iri })}`);
      if (typeof found === 'string') return failed(inside, found, fill);
      const pattern = button(`?s a ${each.name}`, () => write(each.name), {
        class: 'plain pattern',
        title: `Write the pattern of ${each.label}`,
      });
      const properties = propertiesOf(each, found).map((property) =>
        propertyItem(each, property, found, count),
      );
      inside.replaceChildren(pattern, element('ul', { class: 'plain-list' }, ...properties));
    };
    details.addEventListener('toggle', () => {
      if (details.open && inside.childElementCount === 0) void fill();
    });
    return element('li', {}, details);
  }

  /** Lists the properties of a class that any instance has: first those of the ontology, then others. */
  function propertiesOf({ properties }: ClassWords, { present }: PropertyCounts): PropertyOfClass[] {
    const said = properties.filter(({ name }) => present[labels.get(name)?.iri ?? ''] !== undefined);
    const names = new Set(said.map(({ name }) => name));
    const others = vocabulary.properties
      .filter(({ iri, name }) => present[iri] !== undefined && !names.has(name))
      .map(({ name }): PropertyOfClass => ({ name, min: 0, classes: [] }));
    return [...said, ...others];
  }

  function propertyItem(
    of: ClassWords,
    { name, min, max, classes, title }: PropertyOfClass,
    { present, examples }: PropertyCounts,
    count: number,
  ): HTMLLIElement {
    const { label = name, comment = '', iri = '' } = labels.get(name) ?? {};
    const share = Math.round((100 * (present[iri] ?? 0)) / count);
    const facts = [`${share} %`, min === max ? `${min}` : `${min}–${max ?? 'many'}`, ...classes].join(' · ');
    const values = examples[iri] ?? [];
    return element(
      'li',
      {},
      button(name, () => write(of.name, title === undefined ? name : `${name}/${title}`), {
        class: 'plain pattern',
        title: `${label}. ${comment}`,
      }),
      element('span', { class: 'quiet small' }, facts),
      values.length > 0 && element('span', { class: 'examples small' }, values.join(', ')),
    );
  }
}

/** Fetches counts. @returns the counts, or a message if they are not available */
async function ask<T>(address: string): Promise<T | string> {
  try {
    const response = await fetch(address, { headers: { Accept: 'application/json' } });
    const answer: unknown = await response.json();
    if (response.ok) return answer as T;
    return (answer as { detail?: string }).detail ?? 'It could not be counted.';
  } catch {
    return 'The container did not answer.';
  }
}

function failed(place: HTMLElement, message: string, again: () => Promise<void>): void {
  place.replaceChildren(
    element('p', { class: 'small' }, message),
    button('Try again', () => void again()),
  );
}
