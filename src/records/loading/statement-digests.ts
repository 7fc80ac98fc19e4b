import { linkRules, type Ontology } from '../../ontology/model.js';
import { treeDigest } from '../../rdf/digest.js';
import { termKey } from '../../rdf/term-key.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import type { RecordNode } from './record-node.js';
import type { FoundStatement } from './statements.js';
import type { Neighbour } from './tie-break.js';

/** Digests of statements, each computed once. */
export class StatementDigests {
  private readonly bare = new Map<FoundStatement, string>();
  private readonly full = new Map<FoundStatement, string>();

  constructor(
    private readonly statements: ReadonlyMap<string, FoundStatement>,
    private readonly record: RecordNode,
    private readonly ontology: Ontology,
    private readonly base: string,
  ) {}

  /** What names a statement: its tree with its required links. */
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

  /** All statements with their links, those of blank nodes included. */
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

  private digest(
    statement: FoundStatement,
    link: (other: FoundStatement, quad: Quad) => string | null,
  ): string {
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

  /** Names of this container count by their path, so that the base URL has no say in an id. */
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
