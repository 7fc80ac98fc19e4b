import { Graph } from '../../../src/model/ontology/graph.js';
import { termText } from '../../../src/rdf/term-key.js';
import { isA } from '../../../src/model/ontology/model.js';
import type { Ontology, PropertyRule } from '../../../src/model/ontology/model.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../../src/rdf/terms.js';
import { dcterms, prefixes, rdf, sp } from '../../../src/rdf/vocabulary.js';
import { rulesFor } from '../../../src/model/validate/node-rules.js';
import type { Resource } from './seed-statements.js';

/** A resource that breaks a rule by construction. */
export interface Mutant extends Resource {
  readonly kind: string;
  /** The rule that it breaks, whatever else it breaks. */
  readonly rule: string;
}

/** A property of a node of the resource, with the rule of its class and its values. */
interface Site {
  readonly node: Term;
  readonly rule: PropertyRule;
  readonly values: readonly Term[];
}

type Mutate = (change: Change) => readonly Quad[] | undefined;

interface Change {
  readonly ontology: Ontology;
  readonly quads: readonly Quad[];
  readonly graph: Graph;
  readonly sites: readonly Site[];
  readonly pick: <Item>(items: readonly Item[]) => Item | undefined;
}

/** Random numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The kinds of mutations, with the rule that each breaks; undefined where the resource offers no place for one. */
const kinds: readonly (readonly [kind: string, rule: string, mutate: Mutate])[] = [
  ['drop', 'shape-cardinality', drop],
  ['duplicate', 'shape-cardinality', duplicate],
  ['wrong class', 'shape-class', wrongClass],
  ['wrong code', 'shape-code', wrongCode],
  ['code of another set', 'shape-code', otherSet],
  ['wrong words of a code', 'shape-code', wrongWords],
  ['wrong unit', 'shape-fixed-value', wrongUnit],
  ['wrong date', 'shape-date', wrongDate],
  ['node for a literal', 'shape-datatype', nodeForLiteral],
  ['unknown class', 'shape-unknown-class', unknownClass],
  ['no class', 'shape-unknown-class', noClass],
  ['unknown property', 'shape-unknown-property', unknownProperty],
];

/** Mutants of resources, of each kind in turn; the same seed gives the same ones. */
export function mutantsOf(
  resources: readonly Resource[],
  ontology: Ontology,
  count: number,
  seed: number,
): Mutant[] {
  const random = randomFrom(seed);
  const pick: Change['pick'] = (items) => items[Math.floor(random() * items.length)];
  const mutants: Mutant[] = [];
  while (mutants.length < count) {
    const chosen = kinds[mutants.length % kinds.length];
    const resource = pick(resources);
    if (!chosen || !resource) continue;
    const [kind, rule, mutate] = chosen;
    const graph = new Graph(resource.quads);
    const sites = sitesOf(ontology, graph, resource.quads);
    const quads = mutate({ ontology, quads: resource.quads, graph, sites, pick });
    if (quads) mutants.push({ kind, rule, name: resource.name, quads });
  }
  return mutants;
}

function sitesOf(ontology: Ontology, graph: Graph, quads: readonly Quad[]): Site[] {
  const nodes = new Map(quads.map(({ subject }) => [termText(subject), subject]));
  return [...nodes.values()].flatMap((node) =>
    [...rulesFor(ontology, graph.iris(node, rdf.type)).rules.values()].map((rule) => ({
      node,
      rule,
      values: graph.objects(node, rule.property),
    })),
  );
}

const without = (quads: readonly Quad[], node: Term, property: string): Quad[] =>
  quads.filter(({ subject, predicate }) => !(subject.equals(node) && predicate.value === property));

const replaced = (quads: readonly Quad[], node: Term, property: string, ...values: Term[]): Quad[] => [
  ...without(quads, node, property),
  ...values.map((value) => quad(node, namedNode(property), value)),
];

function drop({ ontology, quads, sites, pick }: Change): Quad[] | undefined {
  const site = pick(
    sites.filter(
      ({ rule, values }) =>
        rule.min > 0 &&
        values.length > 0 &&
        ontology.properties.get(rule.property)?.generatedFrom === undefined,
    ),
  );
  return site && without(quads, site.node, site.rule.property);
}

/** A second value of the same kind where only one may be. */
function duplicate({ quads, sites, pick }: Change): Quad[] | undefined {
  const site = pick(sites.filter(({ rule, values }) => values.length > 0 && values.length === rule.max));
  const [value] = site?.values ?? [];
  if (!site || !value) return undefined;
  return [...quads, ...copied(quads, site.node, site.rule.property, value)];
}

function copied(quads: readonly Quad[], node: Term, property: string, value: Term): Quad[] {
  const predicate = namedNode(property);
  if (value.termType === 'Literal') {
    const other = /^\d{4}/.test(value.value) ? '1999' : `${value.value} again`;
    return [quad(node, predicate, literal(other === value.value ? '1998' : other))];
  }
  if (value.termType === 'NamedNode') return [quad(node, predicate, namedNode(`${value.value}0`))];
  const copy = blankNode();
  const own = quads.filter(({ subject }) => subject.equals(value));
  return [quad(node, predicate, copy), ...own.map((one) => quad(copy, one.predicate, one.object))];
}

/** A node that a property leads to becomes something else that is declared. */
function wrongClass({ ontology, quads, graph, sites, pick }: Change): Quad[] | undefined {
  const site = pick(
    sites.filter(
      ({ rule, values }) =>
        rule.classes.length > 0 && values.some((value) => graph.objects(value, rdf.type).length > 0),
    ),
  );
  const value = site?.values.find((one) => graph.objects(one, rdf.type).length > 0);
  const others = [sp.Component, sp.Hash, sp.Attribution].filter(
    (type) => ontology.classes.has(type) && !site?.rule.classes.some((range) => isA(ontology, type, range)),
  );
  const other = pick(others);
  if (!value || other === undefined) return undefined;
  return replaced(quads, value, rdf.type, namedNode(other));
}

/** Codes of the resource that stand in a closed set, with their node. */
function closedCodes({ ontology, graph, sites }: Change): { holder: Term; code: Term; set: string }[] {
  return sites.flatMap(({ rule, values }) => {
    const set = rule.codeClass;
    if (set === undefined || !ontology.classes.get(set)?.members) return [];
    return values.flatMap((holder) => graph.objects(holder, sp.code).map((code) => ({ holder, code, set })));
  });
}

/** A code that claims to be of a closed set and is no member. */
function wrongCode(change: Change): Quad[] | undefined {
  const found = change.pick(closedCodes(change));
  if (!found) return undefined;
  const other = namedNode(`${found.code.value}9`);
  return change.quads.map((one) =>
    quad(
      one.subject.equals(found.code) ? other : one.subject,
      one.predicate,
      one.object.equals(found.code) ? other : one.object,
    ),
  );
}

/** A code that lacks the class of the set which the property draws on. */
function otherSet({ graph, quads, sites, pick }: Change): Quad[] | undefined {
  const codes = sites.flatMap(({ rule, values }) =>
    rule.codeClass === undefined ? [] : values.flatMap((value) => graph.objects(value, sp.code)),
  );
  const code = pick(codes);
  return code && replaced(quads, code, rdf.type, namedNode(sp.Code));
}

function wrongWords(change: Change): Quad[] | undefined {
  const found = change.pick(closedCodes(change));
  const property = change.pick([dcterms.title, dcterms.identifier, sp.system]);
  if (!found || property === undefined) return undefined;
  return replaced(change.quads, found.code, property, literal('something else'));
}

function wrongUnit({ graph, quads, sites, pick }: Change): Quad[] | undefined {
  const places = sites.flatMap(({ rule, values }) =>
    rule.fixed.flatMap(({ property }) =>
      values.filter((value) => graph.objects(value, property).length > 0).map((node) => ({ node, property })),
    ),
  );
  const place = pick(places);
  const unit = pick(['furlong', '', 'cm ', 'CM', 'mm.Hg']);
  return place && unit !== undefined ? replaced(quads, place.node, place.property, literal(unit)) : undefined;
}

function wrongDate({ ontology, quads, sites, pick }: Change): Quad[] | undefined {
  const site = pick(
    sites.filter(
      ({ rule, values }) => values.length > 0 && ontology.properties.get(rule.property)?.valueType === 'date',
    ),
  );
  const date = pick(['June 2010', '2010-02-30', '2011-02-29', '2010-13', '20100601', '2010-06-01T25', '']);
  return site && date !== undefined
    ? replaced(quads, site.node, site.rule.property, literal(date))
    : undefined;
}

function nodeForLiteral({ quads, sites, pick }: Change): Quad[] | undefined {
  const site = pick(
    sites.filter(({ rule, values }) => rule.literal && rule.datatype === undefined && values.length > 0),
  );
  return site && replaced(quads, site.node, site.rule.property, namedNode('urn:example:node'));
}

function unknownClass({ quads, sites, pick }: Change): Quad[] | undefined {
  const site = pick(sites);
  return site && [...quads, quad(site.node, namedNode(rdf.type), namedNode(`${prefixes.sp}Unicorn`))];
}

function noClass({ graph, quads, sites, pick }: Change): Quad[] | undefined {
  // A node of which nothing is said any more is none.
  const site = pick(sites.filter(({ node }) => [...graph.properties(node)].length > 1));
  return site && without(quads, site.node, rdf.type);
}

function unknownProperty({ quads, sites, pick }: Change): Quad[] | undefined {
  const site = pick(sites);
  return site && [...quads, quad(site.node, namedNode(`${prefixes.sp}wingspan`), literal('2'))];
}
