import { type Ontology, linkRules } from '../../model/ontology/model.js';
import { shortNameIn } from '../../model/ontology/term-names.js';
import { unwritable } from '../../rdf/write-rdfxml.js';
import { isInnerName } from '../../rdf/skolem-iris.js';
import { namedNode, say, type Quad } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { unifyTitles, type Titles } from '../titles.js';
import { partitionRecord, type Partition } from './partition.js';
import { refuse } from './load-problems.js';
import { nameStatements } from './naming.js';
import type { InputGraph } from './input-graphs.js';
import { findRecord, type RecordHints, type RecordNode } from './record-node.js';
import { findStatements } from './statements.js';
import { recordPath } from '../resource-paths.js';
import { implausibleValues } from '../../model/validate/plausible-values.js';
import { validateResource } from '../../model/validate/resource.js';

export interface KnownRecord {
  has(iri: string): boolean;
  titles(recordIri: string): Titles;
}

interface PatientInput extends RecordHints {
  readonly inputGraphs: readonly InputGraph[];
  readonly ontology: Ontology;
  readonly base: string;
  /** Default: nothing, as when the whole record is replaced. */
  readonly known?: KnownRecord;
}

export type Patient = ReturnType<typeof loadPatient>;

const nothing: KnownRecord = { has: () => false, titles: () => new Map() };

function whyNothing(inputGraphs: PatientInput['inputGraphs'], ontology: Ontology): string {
  const nothing = 'The file holds no statement and no record.';
  const types = inputGraphs
    .flatMap(({ index }) => index.quads)
    .filter(({ predicate, object }) => predicate.value === rdf.type && object.termType === 'NamedNode');
  const unknown = [...new Set(types.map(({ object }) => object.value))].filter(
    (type) => !ontology.classes.has(type),
  );
  const [first, ...others] = unknown.map((iri) => shortNameIn(ontology, iri));
  if (first === undefined) return nothing;
  const what =
    others.length === 0
      ? `${first} is`
      : `${[first, ...others.slice(0, 2)].join(', ')}${others.length > 2 ? ` and ${others.length - 2} more` : ''} are`;
  return `${nothing.slice(0, -1)}: ${what} not declared by the ontology; give --ontology with the folder that declares ${others.length === 0 ? 'it' : 'them'}.`;
}

/**
 * Builds a record from one patient's quads: finds and names statements, cuts a named graph for each, unifies titles,
 * validates. Pure.
 * @throws RecordInputError for input that cannot become a record
 * @throws RdfLimitError when blank nodes are too entangled to tell apart
 */
export function loadPatient(input: PatientInput) {
  const { inputGraphs, ontology, base, known = nothing } = input;
  for (const { index } of inputGraphs) checkInput(index.quads, base);
  const record = findRecord(inputGraphs, base, input);
  const statements = findStatements(inputGraphs, ontology, record, base);
  if (statements.size === 0 && !record.stated) refuse([whyNothing(inputGraphs, ontology)]);
  const names = nameStatements(statements, record, ontology, base);
  const partition = partitionRecord(statements, names, record, base, inputGraphs);
  const partGraphs = partition.graphs.map(({ graph }) => graph);
  const { graphs, changed } = unifyTitles(partGraphs, ontology, base, known.titles(record.iri));
  const stale = staleLinks(partition, record, ontology, base, (iri) => known.has(iri));
  const own = {
    name: record.iri,
    quads: [say(namedNode(record.iri), rdf.type, namedNode(sp.MedicalRecord))],
  };
  const all = [own, ...graphs];
  const losses = [...leftOut(partition.leftovers), ...stale];
  let warnings: readonly string[] | undefined;
  return {
    recordId: record.id,
    names,
    graphs: all,
    statements: graphs.length,
    quads: all.reduce((sum, { quads }) => sum + quads.length, 0),
    losses,
    /** Losses and violations of the ontology; errors for a strict caller. */
    get warnings(): readonly string[] {
      // Lazy: validation takes half the time, and not all callers need it.
      return (warnings ??= [...losses, ...violationsOf(graphs, ontology)]);
    },
    /** Changes and copies that need no action. */
    notes: [
      ...notes(
        changed,
        'code was given the title that the ontology or the record has for it',
        'codes were given the titles that the ontology or the record has for them',
      ),
      ...notes(
        partition.shared,
        'blank node belongs to several statements and was copied to each',
        'blank nodes belong to several statements and were copied to each',
      ),
    ],
  };
}

function notes(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : several}.`];
}

function leftOut(quads: readonly Quad[]): string[] {
  if (quads.length === 0) return [];
  const types = new Set(
    quads.filter(({ predicate }) => predicate.value === rdf.type).map(({ object }) => object.value),
  );
  const hint = types.size === 0 ? 'without a type' : `of type ${[...types].slice(0, 3).join(', ')}`;
  const count = quads.length === 1 ? '1 triple belongs' : `${quads.length} triples belong`;
  return [
    `${count} to no statement and ${quads.length === 1 ? 'was' : 'were'} left out: about things ${hint}.`,
  ];
}

/**
 * Rejects terms that RDF/XML, the format of the API, cannot carry, and names (`…#_b0` under the base URL) reserved for
 * blank nodes.
 * @throws RecordInputError with a sentence for each
 */
function checkInput(quads: Iterable<Quad>, base: string): void {
  const reasons = new Set<string>();
  for (const quad of quads) {
    for (const term of [quad.subject, quad.predicate, quad.object]) {
      if (term.termType === 'NamedNode' && isInnerName(term.value, base)) {
        reasons.add(
          `The name ${term.value} is kept for blank nodes of the store; write a blank node instead.`,
        );
      }
    }
    const reason = unwritable(quad);
    if (reason !== undefined) reasons.add(`RDF/XML cannot carry a triple of the file: ${reason}`);
  }
  refuse([...reasons]);
}

/**
 * Warns of links to missing statements, to the record itself or, for statement links, to anything else; one sentence
 * per property. Real data has such links, so they are kept.
 * @param exists tells whether the record already has a resource
 * @throws RecordInputError for a link into another record, which would disclose another patient
 */
function staleLinks(
  partition: Partition,
  record: RecordNode,
  ontology: Ontology,
  base: string,
  exists: (iri: string) => boolean,
): string[] {
  const own = new Set(partition.graphs.map(({ graph }) => graph.name));
  const stale = new Map<string, { count: number; first: string; to: string }>();
  const problems: string[] = [];

  for (const { statement, graph } of partition.graphs) {
    const links = new Set(linkRules(ontology, statement.model).map(({ property }) => property));
    for (const found of graph.quads) {
      const { predicate, object } = found;
      if (object.termType === 'Literal' || predicate.value === sp.belongsTo) continue;
      const path = object.termType === 'NamedNode' ? recordPath(object.value, base) : undefined;
      if (path && path.recordId !== record.id)
        problems.push(`${graph.name} links to ${object.value}, in another record.`);
      const isLink = path !== undefined || (links.has(predicate.value) && isDirect(found, graph.name));
      if (!isLink || own.has(object.value) || object.value.startsWith(`${graph.name}#`)) continue;
      if (object.value !== record.iri && path && exists(object.value)) continue;
      const known = stale.get(predicate.value);
      if (known) known.count++;
      else stale.set(predicate.value, { count: 1, first: graph.name, to: object.value });
    }
  }
  refuse(problems);
  return [...stale].map(
    ([property, { count, first, to }]) =>
      `${count} ${count === 1 ? 'link' : 'links'} by <${property}> ${count === 1 ? 'leads' : 'lead'} to no statement ` +
      `of the record (first: ${first} to ${to}); kept as written.`,
  );
}

function isDirect({ subject }: Quad, name: string): boolean {
  return subject.termType === 'NamedNode' && subject.value === name;
}

function violationsOf(graphs: readonly NamedGraph[], ontology: Ontology): string[] {
  const kinds = new Map<string, { first: string; message: string; count: number }>();
  for (const { name, quads } of graphs) {
    const found = [
      ...validateResource(ontology, namedNode(name), quads),
      ...implausibleValues(ontology, quads),
    ];
    for (const { rule, property, message } of found) {
      const kind = `${rule} ${property ?? ''} ${name.slice(0, name.lastIndexOf('/'))}`;
      const known = kinds.get(kind);
      if (known) known.count++;
      else kinds.set(kind, { first: name, message, count: 1 });
    }
  }
  return [...kinds.values()].map(({ first, message, count }) =>
    count === 1 ? `${first}: ${message}` : `${first}: ${message} (and ${count - 1} more of this kind)`,
  );
}
