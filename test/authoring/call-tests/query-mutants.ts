import { checkQuery } from '../../../src/model/query/check/check-query.js';
import type { Served } from './swapped-container.js';

/** A model with one thing changed. */
export interface Mutant {
  /** What was changed, for a report. */
  readonly name: string;
  readonly model: Served;
  /** The calls that may answer in another way. */
  readonly calls: readonly string[];
  readonly hasOtherIndex: boolean;
}

/** A change to the text of a query: its name, and the texts that it gives. */
type Operator = (text: string) => readonly (readonly [name: string, text: string])[];

const body = (text: string): string =>
  text.replace(/^#.*\n/gm, (line) => (line.startsWith('#:') ? line : ''));

/** Replaces each match in turn. */
const each =
  (pattern: RegExp, by: (match: string) => readonly string[]): Operator =>
  (text) =>
    [...text.matchAll(pattern)].flatMap((found) =>
      by(found[0]).map((other): readonly [string, string] => [
        `${found[0].trim()} → ${other.trim() === '' ? 'nothing' : other.trim()}`,
        text.slice(0, found.index) + other + text.slice(found.index + found[0].length),
      ]),
    );

const operators: readonly Operator[] = [
  // Another class, or none.
  each(/\ba sp:[A-Z]\w+/g, (found) => [found === 'a sp:Encounter' ? 'a sp:Problem' : 'a sp:Encounter']),
  each(/; a sp:[A-Z]\w+|; a \?class/g, () => ['']),
  each(/sp:[A-Z]\w+(?=[,)])/g, () => ['sp:Encounter']),
  each(/FILTER \(\?class IN \([^)]*\)\)/g, () => ['']),
  // A neighbour that must be there, that is followed backwards or for ever, or by another property.
  each(/sp:[a-z]\w*\?/g, (found) => {
    const property = found.slice(0, -1);
    return [property, `${property}+`, `^${property}`, 'sp:belongsTo?', `(${property}/${property})?`];
  }),
  // Less of what is there.
  each(/\?s \?p \?o(?=\s*\}\s*$|\s*\}\n\})/g, () => [
    '?s ?p ?o FILTER (isIRI(?o))',
    '?s ?p ?o FILTER (isLiteral(?o))',
    // The blank nodes of an answer have Skolem IRIs in the store.
    '?s ?p ?o FILTER (!CONTAINS(STR(?s), "#_"))',
    '?s a ?o . ?s ?p ?o',
  ]),
  // Another form of what is answered.
  each(/CONSTRUCT \{ \?s \?p \?o \}/g, () => ['CONSTRUCT { ?o ?p ?s }', 'CONSTRUCT { ?s ?p ?p }']),
  each(/\}\s*$/g, () => ['} LIMIT 1', '} OFFSET 3']),
  each(/#:page|#:filters/g, () => ['']),
  // The guard: refused by the rules, for all that these operators can do.
  each(/sp:belongsTo \$record ;?/g, () => ['']),
  each(/cg:json(?= \?json \} \})|cg:json(?= \?json\s*\}\s*\}\s*$)/g, () => ['dcterms:title']),
  // What get_record makes.
  each(/rdfs:seeAlso/g, () => ['rdfs:isDefinedBy']),
  each(/"\[\^\/\]\+\$"/g, () => ['"x"']),
  each(/OPTIONAL/g, () => ['']),
];

/** All changes of the queries that the rules accept; `refused` counts those that they do not. */
export function queryMutants({ ontology, queries }: Served): { mutants: Mutant[]; refused: number } {
  const mutants: Mutant[] = [];
  let refused = 0;
  for (const [call, { file, text }] of queries) {
    const model = ontology.callByName.get(call);
    if (!model) continue;
    for (const [name, changed] of operators.flatMap((operator) => operator(body(text)))) {
      const { template, problems } = checkQuery(file, changed, model, ontology);
      if (!template || problems.some(({ severity }) => severity === 'error')) refused++;
      else {
        const other = new Map([...queries, [call, template]]);
        mutants.push({
          name: `${call}: ${name}`,
          model: { ontology, queries: other },
          // What a PUT stores is read by the GET of its path.
          calls: ontology.calls.filter(({ path }) => path === model.path).map((own) => own.name),
          hasOtherIndex: false,
        });
      }
    }
  }
  return { mutants, refused };
}
