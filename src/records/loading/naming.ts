import type { Ontology } from '../../ontology/model.js';
import { statementIri } from '../resource-paths.js';
import { refuse } from './load-problems.js';
import type { RecordNode } from './record-node.js';
import { StatementDigests } from './statement-digests.js';
import type { FoundStatement } from './statements.js';
import { colourByLinks } from './tie-break.js';
import { addTo, byKey } from '../../rdf/by-key.js';

/** Hexadecimal digits of an id: 64 bits, plenty for the statements of one record. */
const DIGITS = 16;

/**
 * Names every statement of a record: those with an IRI keep it, blank nodes get an id made from their content, so
 * that loading the same content again gives the same IRIs whatever the labels and the order of the triples.
 *
 * The content of a statement is its own tree of blank nodes, in which codes count by their IRI and IRIs of this
 * container by their path. Links to other statements are left out, or else every new dispensing would rename the
 * medication, except links that the ontology requires: a Fulfillment is unique only together with what the
 * Medication is, without the links of that in turn. Identical statements get `-2`, `-3` …; what they are
 * linked with orders them, then the document.
 * @returns IRI by term key
 * @throws RecordInputError when a class that a record has only one of occurs twice
 */
export function nameStatements(
  statements: ReadonlyMap<string, FoundStatement>,
  record: RecordNode,
  ontology: Ontology,
  base: string,
): Map<string, string> {
  const digests = new StatementDigests(statements, record, ontology, base);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const problems: string[] = [];
  for (const [key, { iri }] of statements) {
    if (iri === undefined) continue;
    names.set(key, iri);
    taken.add(iri);
  }
  const groups = byKey(groupByIri(statements, record, digests));
  const tied = groups.filter((group) => group.length > 1).map((group) => group.map(({ key }) => key));
  const colours = colourByLinks(tied.length === 0 ? new Map() : digests.neighbours(), tied);
  for (const group of groups) {
    const [first] = group;
    if (first && !first.statement.path.item) {
      if (group.length > 1 || taken.has(first.iri)) {
        problems.push(`The file has more than one ${first.statement.model.name}; a record has at most one.`);
      }
      names.set(first.key, first.iri);
      continue;
    }
    let copy = 1;
    for (const { key, iri } of inOrder(group, colours)) {
      let name = copy === 1 ? iri : `${iri}-${copy}`;
      while (taken.has(name)) name = `${iri}-${++copy}`;
      taken.add(name);
      names.set(key, name);
      copy++;
    }
  }
  refuse(problems);
  return names;
}

interface Candidate {
  readonly key: string;
  readonly iri: string;
  readonly statement: FoundStatement;
}

/** The unnamed statements, those of the same content together. */
function groupByIri(
  statements: ReadonlyMap<string, FoundStatement>,
  record: RecordNode,
  digests: StatementDigests,
): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const [key, statement] of statements) {
    if (statement.iri !== undefined) continue;
    const id = statement.path.item ? digests.content(statement).slice(0, DIGITS) : '';
    const iri = statementIri(record.iri, statement.path, id);
    addTo(groups, iri, { key, iri, statement });
  }
  return groups;
}

/** Statements of the same content by their colours, else as the document has them. */
function inOrder(group: readonly Candidate[], colours: ReadonlyMap<string, string>): readonly Candidate[] {
  if (group.length < 2) return group;
  const colour = ({ key }: Candidate): string => colours.get(key) ?? '';
  return [...group].sort((a, b) => (colour(a) < colour(b) ? -1 : colour(a) > colour(b) ? 1 : 0));
}
