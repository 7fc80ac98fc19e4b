import { type Ontology, linkRules } from '../../model/ontology/model.js';
import { statementIri } from '../resource-paths.js';
import { refuse } from './load-problems.js';
import type { RecordNode } from './record-node.js';
import type { FoundStatement } from './statements.js';
import { addTo, byKey } from '../../rdf/by-key.js';
import { refineColours } from '../../rdf/canonical.js';
import { hexDigest } from '../../rdf/hex-digest.js';
import { treeDigest } from '../../rdf/digest.js';
import { termKey } from '../../rdf/term-key.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';

const DIGITS = 16;

/**
 * Names every statement. IRIs stay. Blank nodes get an id from their content, so loading again gives the same IRIs
 * whatever the labels and order.
 * Content is the statement's tree of blank nodes, with codes by IRI and IRIs of this container by path. Links to other
 * statements do not count (a new dispensing would rename the medication) unless the ontology requires them, like a
 * Fulfillment's Medication. Identical statements get `-2`, `-3` …, ordered by links, then by document order.
 * @returns IRI by term key
 * @throws RecordInputError when a class that occurs once per record is repeated
 */
export function nameStatements(
  statements: ReadonlyMap<string, FoundStatement>,
  record: RecordNode,
  ontology: Ontology,
  base: string,
): Map<string, string> {
  const digests = new StatementDigests(statements, record, ontology, base);
  const names = new Map<string, string>();
  for (const [key, { iri }] of statements) if (iri !== undefined) names.set(key, iri);
  const taken = new Set(names.values());
  const problems: string[] = [];
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

function inOrder(group: readonly Candidate[], colours: ReadonlyMap<string, string>): readonly Candidate[] {
  if (group.length < 2) return group;
  const colour = ({ key }: Candidate): string => colours.get(key) ?? '';
  return [...group].sort((a, b) => (colour(a) < colour(b) ? -1 : colour(a) > colour(b) ? 1 : 0));
}

interface Neighbour {
  readonly colour: string;
  readonly links: readonly { readonly predicate: string; readonly to: string }[];
}

const MAX_TIES = 200;

/** Orders statements of equal content by colour refinement, so that the graph decides which is `-2`. */
function colourByLinks(neighbours: ReadonlyMap<string, Neighbour>, tied: readonly (readonly string[])[]) {
  const colours = new Map([...neighbours].map(([key, { colour }]) => [key, colour]));
  if (tied.length === 0) return colours;
  const edges = edgesOf(neighbours);
  refine(colours, edges);
  let budget = MAX_TIES;
  for (const group of tied) {
    const linked = group.filter((key) => (edges.get(key)?.length ?? 0) > 0);
    for (; budget > 0; budget--) {
      const twin = firstTwin(linked, colours);
      if (twin === undefined) break;
      colours.set(twin, hexDigest(`${colours.get(twin)} first`));
      refine(colours, edges);
    }
  }
  return colours;
}

interface Edge {
  readonly label: string;
  readonly key: string;
}

function edgesOf(neighbours: ReadonlyMap<string, Neighbour>): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>();
  for (const [key, { links }] of neighbours) {
    for (const { predicate, to } of links) {
      addTo(edges, key, { label: `to ${predicate}`, key: to });
      addTo(edges, to, { label: `from ${predicate}`, key });
    }
  }
  return edges;
}

function refine(colours: Map<string, string>, edges: ReadonlyMap<string, readonly Edge[]>): void {
  refineColours([...colours.values()], () => {
    const next = [...edges].map(([key, own]) => {
      const around = own.map((edge) => `${edge.label} ${colours.get(edge.key)}`).sort();
      return [key, hexDigest([colours.get(key), ...around].join('\n'))] as const;
    });
    for (const [key, colour] of next) colours.set(key, colour);
    return [...colours.values()];
  });
}

function firstTwin(keys: readonly string[], colours: ReadonlyMap<string, string>): string | undefined {
  const first = new Map<string, string>();
  let least: string | undefined;
  for (const key of keys) {
    const colour = colours.get(key) ?? '';
    if (!first.has(colour)) first.set(colour, key);
    else if (least === undefined || colour < least) least = colour;
  }
  return least === undefined ? undefined : first.get(least);
}

class StatementDigests {
  private readonly bare = new Map<FoundStatement, string>();
  private readonly full = new Map<FoundStatement, string>();

  constructor(
    private readonly statements: ReadonlyMap<string, FoundStatement>,
    private readonly record: RecordNode,
    private readonly ontology: Ontology,
    private readonly base: string,
  ) {}

  content(statement: FoundStatement): string {
    const required = new Set(
      linkRules(this.ontology, statement.model)
        .filter(({ min }) => min >= 1)
        .map(({ property }) => property),
    );
    return memo(this.full, statement, () =>
      this.digest(statement, (other, quad) =>
        required.has(quad.predicate.value) && quad.subject.equals(statement.node)
          ? this.withoutLinks(other)
          : null,
      ),
    );
  }

  neighbours(): Map<string, Neighbour> {
    const found = new Map<string, Neighbour>();
    for (const [key, statement] of this.statements) {
      const links: { predicate: string; to: string }[] = [];
      this.digest(statement, (_, { predicate, object }) => {
        links.push({ predicate: predicate.value, to: termKey(object) });
        return null;
      });
      found.set(key, { colour: statement.iri ?? this.content(statement), links });
    }
    return found;
  }

  private withoutLinks(statement: FoundStatement): string {
    return memo(this.bare, statement, () => this.digest(statement, () => null));
  }

  private digest(statement: FoundStatement, link: (other: FoundStatement, quad: Quad) => string | null) {
    const { index } = statement.inputGraph;
    return treeDigest(
      statement.node,
      (subject) => index.about(subject),
      (object, quad) => {
        if (quad.predicate.value === sp.belongsTo) return null;
        const other = this.statements.get(termKey(object));
        return other ? link(other, quad) : this.local(object);
      },
    );
  }

  /** Uses paths for names of this container, so that ids do not depend on the base URL. */
  private local(object: Term): string | undefined {
    if (this.record.is(object)) return 'record';
    if (object.termType !== 'NamedNode' || !object.value.startsWith(`${this.base}/`)) return undefined;
    return `path ${object.value.slice(this.base.length)}`;
  }
}

function memo(map: Map<FoundStatement, string>, key: FoundStatement, make: () => string): string {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
