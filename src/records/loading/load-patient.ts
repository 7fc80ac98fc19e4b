import type { Ontology } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { unwritable } from '../../rdf/rdfxml.js';
import { isInnerName } from '../../rdf/skolem-iris.js';
import { namedNode, quad, type Quad } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { unifyTitles, type Titles } from '../titles.js';
import { partitionRecord } from './partition.js';
import { refuse } from './load-problems.js';
import { staleLinks } from './stale-links.js';
import { nameStatements } from './naming.js';
import type { InputGraph } from './input-graphs.js';
import { findRecord, type RecordHints } from './record-node.js';
import { findStatements } from './statements.js';
import { violationsOf } from './violations.js';

/** What is known of a record before a file is put into it. */
export interface KnownRecord {
  has(iri: string): boolean;
  titles(recordIri: string): Titles;
}

export interface PatientInput extends RecordHints {
  readonly inputGraphs: readonly InputGraph[];
  readonly ontology: Ontology;
  readonly base: string;
  /** Default: nothing is known, as for a record that is swapped whole. */
  readonly known?: KnownRecord;
}

/** One record, ready to be stored. */
export interface Patient {
  readonly recordId: string;
  /** The IRI of each statement by what the input calls it: its IRI, or `_:label`. */
  readonly names: ReadonlyMap<string, string>;
  /** The graph of the record itself, then one for each statement. */
  readonly graphs: readonly NamedGraph[];
  readonly statements: number;
  readonly quads: number;
  /** Links that lead nowhere, and triples left out. */
  readonly losses: readonly string[];
  /** The losses, and what the ontology does not allow: errors for a strict caller. */
  readonly warnings: readonly string[];
  /** What was changed or copied on the way, and needs nobody's hand. */
  readonly notes: readonly string[];
}

const nothing: KnownRecord = { has: () => false, titles: () => new Map() };

/** Why nothing of a file is a statement: most often a class that only another ontology declares. */
function whyNothing(inputGraphs: PatientInput['inputGraphs'], { classes }: Ontology): string {
  const nothing = 'The file holds no statement and no record.';
  const types = inputGraphs
    .flatMap(({ index }) => index.quads)
    .filter(({ predicate, object }) => predicate.value === rdf.type && object.termType === 'NamedNode');
  const unknown = [...new Set(types.map(({ object }) => object.value))].filter((type) => !classes.has(type));
  const [first, ...others] = unknown.map(shortName);
  if (first === undefined) return nothing;
  const what =
    others.length === 0
      ? `${first} is`
      : `${[first, ...others.slice(0, 2)].join(', ')}${others.length > 2 ? ` and ${others.length - 2} more` : ''} are`;
  return `${nothing.slice(0, -1)}: ${what} not declared by the ontology; give --ontology with the folder that declares ${others.length === 0 ? 'it' : 'them'}.`;
}

/**
 * Makes a record of the quads of one patient: finds the record and its statements, names the ones without an IRI by
 * their content, cuts the graph into one named graph for each statement, gives each code one title, and checks the
 * result against the ontology. Pure: nothing is read or written but its arguments.
 * @throws RecordInputError for what cannot become a record
 * @throws RdfLimitError when blank nodes are too tangled to be told apart
 */
export function loadPatient(input: PatientInput): Patient {
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
  const own = { name: record.iri, quads: [typed(record.iri, sp.MedicalRecord)] };
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
    // To validate takes half of all this, and not all callers ask.
    get warnings() {
      return (warnings ??= [...losses, ...violationsOf(graphs, ontology)]);
    },
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

function typed(iri: string, type: string): Quad {
  return quad(namedNode(iri), namedNode(rdf.type), namedNode(type));
}

function notes(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : several}.`];
}

/** One sentence for what is reachable from no statement, with what tells its author where to look. */
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
 * Refuses quads that no answer could carry: what RDF/XML, the format of the API, has no way to write, and the names
 * (`…#_b0` under the base URL) that the store keeps for blank nodes.
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
