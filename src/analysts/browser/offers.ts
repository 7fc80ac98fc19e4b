import type { QueryVocabulary, TermWords } from '../query-vocabulary.js';

export interface Offer {
  readonly name: string;
  readonly detail: string;
  readonly info: string;
  readonly kind: 'class' | 'property' | 'variable' | 'keyword';
  readonly boost: number;
}

/** Returns completions. @param before text before the word @param typed the word so far @param all the whole text */
export type Offers = (before: string, typed: string, all: string) => readonly Offer[];

const KEYWORDS =
  'SELECT DISTINCT WHERE FILTER OPTIONAL UNION MINUS GRAPH BIND VALUES EXISTS CONSTRUCT DESCRIBE ASK PREFIX GROUP ORDER HAVING LIMIT OFFSET COUNT SUM AVG MIN MAX SAMPLE GROUP_CONCAT YEAR MONTH STR REGEX CONTAINS LCASE BOUND COALESCE IF'.split(
    ' ',
  );

/** Offers fitting terms of the ontology: classes after `a`, and first the properties of the last class named. */
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
  // The variable being typed is offered only if it also occurs elsewhere.
  if (all.filter((name) => name === typed).length < 2) names.delete(typed);
  return [...names].map((name) => ({ name, detail: '', info: '', kind: 'variable', boost: 0 }));
}
