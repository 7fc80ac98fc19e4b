import type { Ontology } from '../model/ontology/model.js';
import { instants } from '../model/query/partial-date.js';
import { isObject, type JsonObject } from '../rdf/json-object.js';
import { literal, namedNode, quad, type Quad, type Term } from '../rdf/terms.js';
import { absentReason, cg, dcterms, mapping, rdf, sp } from '../rdf/vocabulary.js';
import { recordIri, statementPathOf } from '../records/resource-paths.js';
import type { BatchResource } from './batch-resource.js';
import { partsOf } from './resource-names.js';
import { codesAt, type LossTable } from './loss-table.js';
import type { Mapping, MappingQuery, StatementMaker } from './mapping.js';
import { rowsWith } from './mapping-tables.js';
import { cleaned, type MadeStatement } from './statement-graphs.js';
import { statementName } from './statement-names.js';
import type { UnmadeReasons } from './unmade-reasons.js';
import { isChoice, typeIn, UNTOLD } from './element-texts.js';
import type { Words } from './words.js';

/** How resources of one type are kept that cannot become a statement of their class. */
export interface UnmappedKind extends StatementMaker {
  /** Only those with this category. */
  readonly among: string | undefined;
  /** The elements that name it and those with its date, of which the first counts, and those with its status. */
  readonly names: readonly string[];
  readonly statuses: readonly string[];
  readonly dates: readonly string[];
  /** What else is said of it, each with the words that go before it. */
  readonly said: readonly (readonly [label: string, name: string])[];
}

const list = (text = ''): string[] => text.split(';').flatMap((each) => each.trim() || []);

/**
 * Resources that cannot become a statement of their class, kept in the words in which they came, as the rows with
 * `map:unmapped` say. Nothing is kept that is voided, or that something can change which is not understood.
 */
export class Unmapped {
  readonly kinds: readonly UnmappedKind[];

  constructor(
    tables: readonly Quad[],
    queries: readonly MappingQuery[],
    ontology: Ontology,
    private readonly tools: { losses: LossTable; unmade: UnmadeReasons; words: Words },
  ) {
    this.kinds = rowsWith(tables, mapping.unmapped).flatMap((row) => {
      const type = row.one(mapping.unmapped) ?? '';
      const query = queries.find(({ sources }) => sources.includes(type));
      const target = ontology.classes.get(row.one(mapping.to) ?? '');
      const path = target && statementPathOf(target);
      if (!query || !path) return [];
      const said = list(row.one(mapping.said)).map((each): [string, string] => {
        const [name = '', ...label] = each.split(': ').reverse();
        return [label.map((text) => `${text}: `).join(''), name];
      });
      return {
        ...{ target, path, sources: [type], patient: query.patient, said },
        among: row.one(mapping.among),
        names: list(row.one(mapping.name)),
        statuses: list(row.one(mapping.status)),
        dates: list(row.one(mapping.date)),
      };
    });
  }

  /** How a resource is kept of which no statement is made; undefined where it is not. */
  kindOf({ resource, modifiers, links }: BatchResource): UnmappedKind | undefined {
    const { losses, unmade } = this.tools;
    const { type, value, isDeleted } = resource;
    if (isDeleted || modifiers.size > 0) return undefined;
    const categories = codesAt(value, ['category']);
    const kind = this.kinds.find(
      ({ sources, among }) => sources.includes(type) && (among === undefined || categories.includes(among)),
    );
    const named = kind && drugOf(value, kind.names, links);
    if (!kind || [resource, ...(named ? [named] : [])].some((each) => losses.isVoid(each))) return undefined;
    return unmade.bars(resource) ? undefined : kind;
  }

  /** The statement that keeps a resource. @param why it is none of its class */
  statement(
    { resource, links }: BatchResource,
    kind: UnmappedKind,
    { base, recordId, why, names }: Place,
  ): MadeStatement {
    const { words, unmade } = this.tools;
    const { type, value, iri } = resource;
    const record = recordIri(base, recordId);
    const name = statementName({ record, path: kind.path, resource: partsOf(iri) ?? resource }, names);
    const drug = drugOf(value, kind.names, links);
    const holder = drug ?? resource;
    const isThere = (each: string): boolean => keyOf(type, value, each) !== undefined;
    const element = drug ? 'code' : (kind.names.find(isThere) ?? '');
    const wordsOf = (of: string, from: JsonObject, at: string): string | undefined => {
      const key = keyOf(of, from, at);
      return key === undefined ? undefined : (words.of(typeIn(of, key), from, key) ?? UNTOLD);
    };
    const told = (at: string): string | undefined =>
      at.includes('.') ? codesAt(value, at.split('.')).join(', ') || undefined : wordsOf(type, value, at);
    const title = wordsOf(holder.type, holder.value, element) ?? 'Without a name';
    const negation = unmade.negationOf(resource);
    const isSaid = negation === undefined || /^(?:no|not|none|nil)\b/iu.test(title);
    const date = kind.dates
      .flatMap((path) => codesAt(value, path.split('.')))
      .find((each) => instants(each) !== undefined);
    const status = kind.statuses.flatMap((key) => statusesOf(value[key])).join(', ');
    const notes = kind.said.flatMap(([label, key]) => {
      const text = told(key);
      return text === undefined ? [] : `${label}${text}`;
    });
    const node = namedNode(name);
    const said: [string, string | undefined][] = [
      [dcterms.title, `${isSaid ? '' : negation}${title}`],
      [dcterms.date, date],
      [cg.recordedStatus, status || undefined],
      [sp.notes, notes.join('; ') || undefined],
      [cg.whyUnmapped, why],
      ...codesOf(holder.type, holder.value, element).map((code): [string, string] => [cg.recordedCode, code]),
    ];
    const literals = said.flatMap(([property, text]) => (text === undefined ? [] : [{ property, text }]));
    const values = literals.map(({ property, text }) => {
      const plain = literal(text.toWellFormed());
      return { property, plain, clean: cleaned(plain) };
    });
    const say = (property: string, object: Term): Quad => quad(node, namedNode(property), object);
    const quads = [
      say(rdf.type, namedNode(kind.target.iri)),
      say(sp.belongsTo, namedNode(record)),
      ...values.map(({ property, clean }) => say(property, clean)),
    ];
    const isCleaned = values.some(({ plain, clean }) => plain !== clean);
    return { query: kind, resource: iri, recordId, graph: { name, quads }, links: [], isCleaned };
  }

  /** Whether an element stands in the words of what is kept. */
  tells({ names, statuses, said }: UnmappedKind, path: string): boolean {
    const [type = '', key = ''] = path.split('.');
    const told = [...names, ...statuses, ...said.map(([, each]) => each.split('.')[0] ?? '')];
    return told.some((each) => keyOf(type, { [key]: true }, each) !== undefined);
  }
}

/** Where an unmapped statement stands, and why. */
interface Place {
  readonly base: string;
  readonly recordId: string;
  readonly why: string;
  readonly names: Pick<Mapping, 'plainTypes'>;
}

/** The key of an element, or of the type that a choice has: `valueQuantity` of `value`. */
function keyOf(type: string, value: JsonObject, name: string): string | undefined {
  const isElement = typeIn(type, name) !== undefined;
  return Object.keys(value).find((key) => (isElement ? key === name : isChoice(key, name)));
}

/** All that a status says: of several codings each can change what another one says. */
function statusesOf(value: unknown): string[] {
  if (!isObject(value)) return value === undefined || value === null ? [] : [String(value as string)];
  const codings = [value.coding ?? []].flat().filter(isObject);
  const said = [value.text, ...codings.map(({ display, code }) => display ?? code)].flatMap((each) =>
    typeof each === 'string' ? each : [],
  );
  return [...new Map(said.map((each) => [each.toLowerCase(), each])).values()];
}

/** The resource that names what a resource is about: the Medication of an order, in it or known to the load. */
function drugOf(
  { contained, ...value }: JsonObject,
  names: readonly string[],
  links: BatchResource['links'],
): { type: string; value: JsonObject } | undefined {
  const reference = value[`${names.join('')}Reference`];
  if (!isObject(reference)) return undefined;
  const known = links.get(reference);
  if (known) return known;
  const within = [contained ?? []].flat().filter(isObject);
  const found = within.find(({ id }) => typeof id === 'string' && reference.reference === `#${id}`);
  return found && { type: String(found.resourceType), value: found };
}

/** The codes of a CodeableConcept, or of what a choice of types has of one, as texts. */
function codesOf(type: string, holder: JsonObject, name: string): string[] {
  const key = keyOf(type, holder, name);
  const concepts = [key === undefined ? [] : holder[key]].flat().filter(isObject);
  const codings = concepts.flatMap(({ coding }) => [coding ?? []].flat().filter(isObject));
  const texts = codings
    .filter(({ code, system }) => code !== undefined && system !== absentReason.system)
    .map(({ system, code, display }) => {
      const shown = display === undefined ? '' : ` (${String(display)})`;
      return `${String(system ?? '')}|${String(code)}${shown}`;
    });
  return [...new Set(texts)];
}
