import type { Ontology } from '../model/ontology/model.js';
import { writeTerm } from '../rdf/ntriples.js';
import { literal, namedNode, type Quad } from '../rdf/terms.js';
import { cg, rdf, xsd } from '../rdf/vocabulary.js';
import { canonicalQuantity } from './canonical-units.js';

type Declared = Pick<Ontology, 'classes' | 'codes'>;

/** A plain decimal, which every engine reads exactly: `<5` and `1e3` are none. */
const decimal = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/u;

/**
 * Makes a function that returns what follows from the statements of a graph, as N-Triples without line ends: the numbers
 * of its quantities, and whether its statement says that it is over. It reads what the level shows, so it tells no more.
 */
export function derivedValues({
  classes,
  codes,
}: Declared): (name: string, quads: readonly Quad[]) => string[] {
  const all = [...classes.values()].map(({ shown }) => shown);
  const [values, units, ends, states, links] = (['value', 'unit', 'until', 'status', 'code'] as const).map(
    (kind) => new Set(all.flatMap((shown) => shown[kind])),
  ) as [Set<string>, Set<string>, Set<string>, Set<string>, Set<string>];
  const ending = new Set(
    [...classes.values()].flatMap(({ iri, shown }) =>
      shown.until.length + shown.status.length > 0 ? [iri] : [],
    ),
  );

  return (name, quads) => {
    const quantities = new Map<string, { value?: string; unit?: string }>();
    const over = new Set<string>();
    const statuses: string[] = [];
    let [canEnd, hasEnd] = [false, false];
    for (const { subject, predicate, object } of quads) {
      const of = predicate.value;
      if (values.has(of) || units.has(of)) {
        const node = writeTerm(subject);
        const known = quantities.get(node) ?? {};
        if (values.has(of)) known.value = object.value;
        if (units.has(of)) known.unit = object.value;
        quantities.set(node, known);
      }
      if (links.has(of) && codes.get(object.value)?.isOver === true) over.add(subject.value);
      if (subject.value !== name) continue;
      if (of === rdf.type) canEnd ||= ending.has(object.value);
      else if (ends.has(of)) hasEnd = true;
      else if (states.has(of)) statuses.push(object.value);
    }
    const derived = [...quantities].flatMap(([node, quantity]) => numbersOf(node, quantity));
    if (!canEnd) return derived;
    const isOver =
      hasEnd || statuses.some((status) => over.has(status) || codes.get(status)?.isOver === true);
    return [...derived, `<${name}> <${cg.endStated}> ${typed(String(isOver), xsd.boolean)}`];
  };
}

function numbersOf(node: string, { value = '', unit }: { value?: string; unit?: string }): string[] {
  if (unit === undefined || !decimal.test(value)) return [];
  const canonical = canonicalQuantity(Number(value), unit);
  return [
    `${node} <${cg.number}> ${typed(value, xsd.decimal)}`,
    ...(canonical
      ? [
          `${node} <${cg.canonicalValue}> ${typed(String(canonical.value), xsd.double)}`,
          `${node} <${cg.canonicalUnit}> ${writeTerm(literal(canonical.unit))}`,
        ]
      : []),
  ];
}

const typed = (text: string, datatype: string): string => writeTerm(literal(text, namedNode(datatype)));
