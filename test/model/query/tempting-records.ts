import type { ClassModel, Ontology } from '../../../src/model/ontology/model.js';
import { linkRules } from '../../../src/model/ontology/model.js';
import { blankNode, literal, namedNode, quad, type Quad } from '../../../src/rdf/terms.js';
import { dcterms, prefixes, rdf, sp } from '../../../src/rdf/vocabulary.js';
import {
  statementPathOf,
  recordIri,
  statementIri,
  type StatementPath,
} from '../../../src/records/resource-paths.js';
import type { NamedGraph } from '../../../src/store/graph-store.js';

/** What every literal of a record holds, so that a leak can be seen in any text. */
export const secretOf = (recordId: string): string => `SECRET-OF-${recordId}-`;

/** A statement class with its place; abstract classes have none. */
interface Kind {
  readonly model: ClassModel;
  readonly path: StatementPath;
}

/** How many statements of each class a record has, where it may have several. */
const EACH = 2;

export function statementKinds(ontology: Ontology): Kind[] {
  return [...ontology.classes.values()].flatMap((model) => {
    const path = model.kind === 'statement' ? statementPathOf(model) : undefined;
    return path ? [{ model, path }] : [];
  });
}

/** The statements of a record with their classes; `s1`, `s2` … so that records have equal ids. */
export function statementsOf(ontology: Ontology, base: string, recordId: string): Map<string, ClassModel> {
  const record = recordIri(base, recordId);
  const found = new Map<string, ClassModel>();
  for (const { model, path } of statementKinds(ontology)) {
    for (let n = 1; n <= (path.item ? EACH : 1); n++) {
      // Two classes may share a folder, as allergies and their exclusions do.
      found.set(statementIri(record, path, `${model.name}${n}`), model);
    }
  }
  return found;
}

/** The properties that link statements: what "one element deep" follows. */
function links(ontology: Ontology): string[] {
  const rules = [...ontology.classes.values()].flatMap((model) => linkRules(ontology, model));
  return [...new Set(rules.map(({ property }) => property))];
}

/** Every other property of objects, and some that no ontology of ours declares. */
function otherProperties(ontology: Ontology): string[] {
  const objects = [...ontology.properties.values()].filter(({ kind }) => kind === 'object');
  // Where a statement belongs is not what it links to; `claimants` say it of others on purpose.
  const not: string[] = [...links(ontology), sp.belongsTo, rdf.type];
  return [
    ...objects.map(({ iri }) => iri).filter((iri) => !not.includes(iri)),
    `${prefixes.rdfs}seeAlso`,
    `${prefixes.owl}sameAs`,
    `${prefixes.sp}neverDeclared`,
  ];
}

/**
 * The graphs of records that are tangled with each other: every statement has every link to a statement of each class
 * in all the records, and every other property to one statement of each record and to the record; all use the same code,
 * and each describes it with words of its own.
 */
export function tangled(ontology: Ontology, base: string, recordIds: readonly string[]): NamedGraph[] {
  const byRecord = recordIds.map((id) => [...statementsOf(ontology, base, id).keys()]);
  const records = recordIds.map((id) => recordIri(base, id));
  // One link leads to the first statements of the classes, the next one to the second: to both, an answer is twice as long.
  const linked = (place: number): string[] => [
    ...byRecord.flat().filter((name) => Number(/\d$/u.exec(name)?.[0] ?? 1) % EACH === place % EACH),
    ...records,
  ];
  const others = otherProperties(ontology);
  const objects = [
    ...links(ontology).flatMap((property, n) => linked(n).map((object) => [property, object] as const)),
    // A statement of another class for each property, so that every class is reached by some.
    ...others.flatMap((property, n) =>
      byRecord.map((names) => [property, names[n % names.length] ?? ''] as const),
    ),
    ...others.flatMap((property) => records.map((record) => [property, record] as const)),
  ];
  return recordIds.flatMap((id) => {
    const record = recordIri(base, id);
    const statements = [...statementsOf(ontology, base, id)].map(([name, model]): NamedGraph => {
      const self = namedNode(name);
      const inner = blankNode('inner');
      const code = namedNode(`${prefixes.spcode}shared`);
      const says = (subject: Quad['subject'], property: string, text: string): Quad =>
        quad(subject, namedNode(property), literal(secretOf(id) + text));
      return {
        name,
        quads: [
          ...[model.iri, ...model.ancestors].flatMap((type) => typed(name, type)),
          quad(self, namedNode(sp.belongsTo), namedNode(record)),
          ...objects.map(([property, object]) => quad(self, namedNode(property), namedNode(object))),
          ...byRecord.flat().map((object) => quad(inner, namedNode(sp.encounter), namedNode(object))),
          ...links(ontology).map((property) => quad(self, namedNode(property), inner)),
          quad(self, namedNode(sp.code), code),
          says(self, dcterms.title, `title of ${name}`),
          says(self, dcterms.date, 'date'),
          says(inner, sp.value, 'value'),
          says(code, dcterms.title, 'title of a code'),
        ],
      };
    });
    return [{ name: record, quads: typed(record, sp.MedicalRecord) }, ...statements];
  });
}

/**
 * Statements of `thief` in whose graphs something is said of the statements of `other`: that they belong to
 * it, what they are, and a secret of the thief. They stand under paths of the thief.
 */
export function claimants(ontology: Ontology, base: string, thief: string, other: string): NamedGraph[] {
  const victims = [...statementsOf(ontology, base, other)];
  return statementKinds(ontology)
    .filter(({ path }) => path.item)
    .map(({ model, path }) => {
      const name = statementIri(recordIri(base, thief), path, `${model.name}-claim`);
      return {
        name,
        quads: [
          ...typed(name, model.iri),
          quad(namedNode(name), namedNode(sp.belongsTo), namedNode(recordIri(base, thief))),
          quad(namedNode(name), namedNode(dcterms.title), literal(`${secretOf(thief)}claim`)),
          ...victims.flatMap(([victim, { iri }]) => [
            ...typed(victim, iri),
            quad(namedNode(victim), namedNode(sp.belongsTo), namedNode(recordIri(base, other))),
            quad(namedNode(victim), namedNode(dcterms.title), literal(`${secretOf(thief)}said of another`)),
          ]),
        ],
      };
    });
}

const typed = (iri: string, type: string): Quad[] => [
  quad(namedNode(iri), namedNode(rdf.type), namedNode(type)),
];
