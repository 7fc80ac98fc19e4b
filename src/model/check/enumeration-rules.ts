import { dcterms, owl, rdf, sp } from '../../rdf/vocabulary.js';
import type { Term } from '../../rdf/terms.js';
import type { Graph } from '../ontology/graph.js';
import type { CodeModel } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type OntologyInput, type OntologyRule } from './rule.js';

function lists({ graph, ontology }: OntologyInput): { subject: string; heads: Term[] }[] {
  return [...ontology.classes.keys()].map((subject) => ({
    subject,
    heads: [subject, ...graph.objects(subject, owl.equivalentClass)].flatMap((node) =>
      graph.objects(node, owl.oneOf),
    ),
  }));
}

function members({
  ontology,
}: OntologyInput): { set: string; subject: string; code: CodeModel | undefined }[] {
  return [...ontology.classes.values()]
    .filter(({ kind }) => kind === 'code')
    .flatMap(({ iri: set, members = [] }) =>
      members.map((subject) => ({ set, subject, code: ontology.codes.get(subject) })),
    );
}

function misplacement({ set, subject, code }: ReturnType<typeof members>[number]): string | undefined {
  if (code === undefined || !code.classes.includes(set))
    return `is a member of ${shortName(set)} but not typed with it`;
  return code.system + code.identifier === subject
    ? undefined
    : 'is a code whose IRI is not its system and identifier';
}

const severalEnumerations: OntologyRule = {
  id: 'several-enumerations',
  severity: 'error',
  summary: 'A class has at most one owl:oneOf.',
  hint: 'Put all members into one list.',
  check: (input) =>
    lists(input)
      .filter(({ heads }) => heads.length > 1)
      .map(({ subject }) => breach(subject, 'has more than one owl:oneOf')),
};

const enumerationMember: OntologyRule = {
  id: 'enumeration-member',
  severity: 'error',
  summary:
    'A member of a code set is typed with its class, and its IRI is its system followed by its identifier.',
  hint: 'Add the class as a type; make IRI, sp:system and dcterms:identifier fit together.',
  check: (input) => [
    ...lists(input).flatMap(({ subject, heads }) =>
      heads
        .filter((head) => !isList(input.graph, head))
        .map(() =>
          breach(subject, 'has an owl:oneOf that is no complete list, such as ( code:a code:b )', owl.oneOf),
        ),
    ),
    ...members(input).flatMap((member) => {
      const says = misplacement(member);
      return says === undefined ? [] : breach(member.subject, says);
    }),
  ],
};

/** Whether each node has one member and one rest, and the last rest is rdf:nil (RDF Schema 1.1 §5.2). */
function isList(graph: Graph, head: Term): boolean {
  const seen = new Set<string>();
  let node = head;
  while (node.value !== rdf.nil) {
    const [first, rest] = [graph.objects(node, rdf.first), graph.objects(node, rdf.rest)];
    const [next] = rest;
    if (first.length !== 1 || rest.length !== 1 || next === undefined || seen.has(node.value)) return false;
    seen.add(node.value);
    node = next;
  }
  return true;
}

const codeTitle: OntologyRule = {
  id: 'code-title',
  severity: 'error',
  summary: 'A code of a closed set has one title, and not more than one identifier or system.',
  hint: 'State one dcterms:title with the name that people read; other names for it belong to rdfs:comment.',
  check: (input) =>
    members(input)
      .filter((member) => misplacement(member) === undefined)
      .flatMap(({ subject, code }) => [
        ...(code?.title === '' ? [breach(subject, 'is a code without title')] : []),
        ...[dcterms.title, dcterms.identifier, sp.system]
          .map((near) => ({ near, count: input.graph.objects(subject, near).length }))
          .filter(({ count }) => count > 1)
          .map(({ near, count }) =>
            breach(subject, `is a code with ${count} values of ${shortName(near)}`, near),
          ),
      ]),
};

const codeSystem: OntologyRule = {
  id: 'code-system',
  severity: 'warning',
  summary: 'A code of a closed set states its system and its identifier.',
  hint: 'Add sp:system (what stands before the identifier in the IRI) and dcterms:identifier.',
  check: (input) =>
    members(input).flatMap((member) => {
      const { subject } = member;
      const silent = [sp.system, dcterms.identifier].filter(
        (property) => input.graph.objects(subject, property).length === 0,
      );
      return silent.length > 0 && misplacement(member) === undefined
        ? breach(subject, `is a code without ${silent.map(shortName).join(' and ')}`)
        : [];
    }),
};

export const enumerationRules = [severalEnumerations, enumerationMember, codeTitle, codeSystem];
