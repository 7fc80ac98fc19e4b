import { literal, quad, type Quad, type Term } from '../../rdf/terms.js';
import { api, cg, owl, prefixes as shared, rdf, rdfs, sh, skos } from '../../rdf/vocabulary.js';
import { Graph } from './graph.js';
import { cardinalityKinds } from './restrictions.js';
import { tokenize } from '../query/tokenizer.js';
import { expandName, shortName, type Prefixes } from './term-names.js';

/** A part of the ontology: a folder that adds to the layers below it. */
export interface Layer {
  readonly iri: string;
  readonly label: string;
  readonly version: string;
  /** How many headers the folder has; a layer has one. */
  readonly headers: number;
  /** Versions of layers below: the IRI of a layer, followed by its version. */
  readonly imports: readonly string[];
  readonly prefixes: Prefixes;
  /** Terms below of which it replaces what they say. */
  readonly overrides: ReadonlySet<string>;
  /** The terms that it declares. */
  readonly terms: ReadonlySet<string>;
  /** What it changes below without saying so. */
  readonly changes: readonly LayerChange[];
  /** The files that it was read from, as in messages. */
  readonly paths: readonly string[];
}

export interface LayerChange {
  readonly subject: string;
  readonly near: string;
  readonly says: string;
}

/** What a layer may say about a term below beside what is said already: these properties have many values. */
const additive: ReadonlySet<string> = new Set([
  ...[rdf.type, rdfs.subClassOf, rdfs.seeAlso, skos.broader, sh.property, api.hasFilter, api.hasParameter],
  ...[cg.summary, cg.impersonal, cg.common, cg.choice],
]);

/** What has texts that name terms. */
export const speaking: readonly string[] = [api.filterSparql, api.defaultSort, cg.sortPath, cg.sortNames];

interface Part {
  readonly quads: readonly Quad[];
  readonly paths: readonly string[];
}

/**
 * Puts layers on each other, the lowest first. A layer adds; of a term that its header names with cg:overrides, what
 * it says takes the place of what was said. The header of the whole is the lowest one, so the others lose their type.
 */
export function mergeLayers(parts: readonly Part[]): { quads: Quad[]; layers: Layer[] } {
  let quads: Quad[] = [];
  const layers: Layer[] = [];
  const declared = new Set<string>();
  for (const { quads: stated, paths } of parts) {
    const header = readHeader(new Graph(stated));
    const own = withWholeNames(stated, prefixesOf([...layers, header]));
    const graph = new Graph(own);
    const changes: LayerChange[] = [];
    if (layers.length > 0) {
      const below = new Graph(quads);
      const replaced = replacedBy(graph, below, declared, header.overrides, changes);
      quads = quads.filter(({ subject, predicate }) => !replaced.has(`${subject.value} ${predicate.value}`));
    }
    const terms = declaredIn(graph).filter((iri) => iri !== header.iri && !declared.has(iri));
    for (const term of terms) declared.add(term);
    quads.push(...(layers.length === 0 ? own : own.filter((each) => !isHeaderOnly(each, header.iri))));
    layers.push({ ...header, terms: new Set(terms), changes, paths });
  }
  return { quads, layers };
}

/** The shared prefixes, which nothing replaces, then those of layers. */
export function prefixesOf(layers: readonly Pick<Layer, 'prefixes'>[]): Prefixes {
  return Object.assign({}, shared, ...layers.map(({ prefixes }) => prefixes), shared) as Prefixes;
}

/** Writes names with the prefixes of layers as whole IRIs, so that readers need only the shared prefixes. */
function withWholeNames(quads: readonly Quad[], prefixes: Prefixes): readonly Quad[] {
  const whole = (text: string): string =>
    tokenize(text)
      .map((token) => {
        const iri = token.kind === 'name' ? expandName(token.text, prefixes) : undefined;
        return iri === undefined || expandName(token.text) !== undefined ? token.text : `<${iri}>`;
      })
      .join('');
  return quads.map((each) => {
    const { subject, predicate, object } = each;
    if (!speaking.includes(predicate.value) || object.termType !== 'Literal') return each;
    const text = whole(object.value);
    return text === object.value ? each : quad(subject, predicate, literal(text));
  });
}

/** Whether a version of a layer is an imported one or later; undefined for another layer. */
export function satisfies({ iri, version }: Layer, imported: string): boolean | undefined {
  if (!imported.startsWith(iri) || iri === '') return undefined;
  const numbers = (text: string): number[] => text.split('.').map(Number);
  const [wanted, given] = [numbers(imported.slice(iri.length)), numbers(version)];
  if (![...wanted, ...given].every(Number.isInteger) || wanted.length !== 2) return undefined;
  const [major = 0, minor = 0] = given;
  return major === wanted[0] && minor >= (wanted[1] ?? 0);
}

function readHeader(graph: Graph): Omit<Layer, 'terms' | 'changes' | 'paths'> {
  const headers = graph.instances(owl.Ontology);
  const iri = headers[0] ?? '';
  return {
    iri,
    label: graph.value(iri, rdfs.label) ?? '',
    version: graph.value(iri, owl.versionInfo) ?? '',
    headers: headers.length,
    imports: graph.iris(iri, owl.imports),
    overrides: new Set(graph.iris(iri, cg.overrides)),
    prefixes: Object.fromEntries(
      graph
        .objects(iri, sh.declare)
        .map((node) => [graph.value(node, sh.prefix) ?? '', graph.value(node, sh.namespace) ?? '']),
    ),
  };
}

const declaredIn = (graph: Graph): string[] =>
  [...graph.subjects()].filter((key) => !key.startsWith('_:') && graph.objects(key, rdf.type).length > 0);

const isHeaderOnly = ({ subject, predicate, object }: Quad, header: string): boolean =>
  subject.value === header &&
  (predicate.value === owl.imports || (predicate.value === rdf.type && object.value === owl.Ontology));

/** Finds what a layer replaces (`subject predicate`), and notes what it would replace without saying so. */
function replacedBy(
  graph: Graph,
  below: Graph,
  declared: ReadonlySet<string>,
  overrides: ReadonlySet<string>,
  changes: LayerChange[],
): Set<string> {
  const replaced = new Set<string>();
  for (const subject of graph.subjects()) {
    if (!declared.has(subject)) continue;
    for (const [near, values] of graph.properties(subject)) {
      const before = below.objects(subject, near);
      if (additive.has(near)) {
        if (near !== rdfs.subClassOf || overrides.has(subject)) continue;
        const bound = values.flatMap((node) => boundOf(graph, below, subject, node))[0];
        if (bound !== undefined)
          changes.push({
            subject,
            near: bound,
            says: `is below, and ${shortName(bound)} of it is bounded here`,
          });
      } else if (before.length > 0 && values.some((value) => !before.some((each) => each.equals(value)))) {
        if (overrides.has(subject)) replaced.add(`${subject} ${near}`);
        else changes.push({ subject, near, says: `is below, and its ${shortName(near)} is another here` });
      }
    }
  }
  return replaced;
}

/** The property that a restriction asks more of than the class below did: what is stored may break it. */
function boundOf(graph: Graph, below: Graph, subject: string, node: Term): string[] {
  const property = graph.value(node, owl.onProperty);
  if (property === undefined) return [];
  const isKnown = below
    .objects(subject, rdfs.subClassOf)
    .some((each) => below.value(each, owl.onProperty) === property);
  const asks = cardinalityKinds.some(
    (kind) => !/max/i.test(kind) && Number(graph.value(node, kind) ?? 0) > 0,
  );
  return isKnown || asks ? [property] : [];
}
