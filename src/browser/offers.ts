import type { QueryVocabulary, TermWords } from '../derive/query-vocabulary.js';

/** Something that may be meant by what is typed. */
export interface Offer {
  readonly name: string;
  /** Its label. */
  readonly detail: string;
  /** What it means, in a sentence or two. */
  readonly info: string;
  readonly kind: 'class' | 'property' | 'variable' | 'keyword';
  /** Higher stands first. */
  readonly boost: number;
}

/**
 * What may stand at a place.
 * @param before the text in front of what is typed @param typed what is typed of it @param all the whole text
 */
export type Offers = (before: string, typed: string, all: string) => readonly Offer[];

const KEYWORDS =
  'SELECT DISTINCT WHERE FILTER OPTIONAL UNION MINUS GRAPH BIND VALUES EXISTS CONSTRUCT DESCRIBE ASK PREFIX GROUP ORDER HAVING LIMIT OFFSET COUNT SUM AVG MIN MAX SAMPLE GROUP_CONCAT YEAR MONTH STR REGEX CONTAINS LCASE BOUND COALESCE IF'.split(
    ' ',
  );

/** Offers the terms of the ontology where they fit: classes behind `a`, properties of the class that is spoken of. */
export function offersOf({ classes, properties }: QueryVocabulary): Offers {
  const ofClass = new Map(
    classes.map(({ name, properties: own }) => [name, new Set(own.map((each) => each.name))]),
  );
  const term =
    (kind: 'class' | 'property', boost: (name: string) => number) =>
    ({ name, label, comment }: TermWords): Offer => ({
      name,
      detail: label,
      info: comment,
      kind,
      boost: boost(name),
    });
  return (before, typed, all) => {
    if (/^[?$]/u.test(typed)) return variablesIn(all, typed);
    const isClass = /(?:\ba|rdf:type)\s+$/u.test(before);
    const spokenOf = [...before.matchAll(/\ba\s+([\w-]*:[\w-]+)/gu)].at(-1)?.[1];
    const own = spokenOf === undefined ? undefined : ofClass.get(spokenOf);
    return [
      ...classes.map(term('class', () => (isClass ? 50 : -10))),
      ...properties.map(term('property', (name) => (isClass ? -50 : own?.has(name) ? 30 : 0))),
      ...KEYWORDS.map((name): Offer => ({ name, detail: '', info: '', kind: 'keyword', boost: -20 })),
    ];
  };
}

function variablesIn(text: string, typed: string): Offer[] {
  const all = [...text.matchAll(/[?$][A-Za-z_]\w*/gu)].map(([name]) => name);
  const names = new Set(all);
  // What is typed is no word to choose until it stands a second time.
  if (all.filter((name) => name === typed).length < 2) names.delete(typed);
  return [...names].map((name) => ({ name, detail: '', info: '', kind: 'variable', boost: 0 }));
}
