import { guardFaults, type GuardFault, isAboutRecord, policyOf } from './guards.js';
import { Places, type QueryBreach, type QueryInput, type QueryRule } from './query-rule.js';
import { queryReach } from './query-reach.js';
import { isA } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { rdf } from '../../../rdf/vocabulary.js';
import { lineAt, termsOf } from '../tokenizer.js';
import {
  readerOf,
  type Pattern,
  type PatternTerm,
  type Reader,
  equalities,
  groupsIn,
  variablesIn,
} from './patterns.js';

function unguarded({ tree, template, call, ontology, beside }: QueryInput): GuardFault[] {
  const { own, owners, learn } = policyOf(call, ontology);
  // To SPARQL, ?record is $record: unless bound to the request, it is any record.
  const isBound = (name: string): boolean => template.parameters.includes(name);
  const policy = { own: own.filter(isBound), owners: owners.filter(isBound), learn, shared: beside?.graphs };
  return [
    ...new Map(guardFaults(tree, policy).map((fault) => [`${fault.kind} ${fault.graph}`, fault])).values(),
  ];
}

const queryGraph: QueryRule = {
  id: 'query-graph',
  severity: 'error',
  summary: 'Every pattern of a query stands in a GRAPH.',
  hint: 'Put the pattern into GRAPH ?statement { … }: nothing is stored outside of named graphs.',
  check: (input) =>
    unguarded(input)
      .filter(({ kind }) => kind === 'no-graph')
      .map(() => ({
        line: new Places(input.sparql).ofWord('WHERE'),
        says: 'a pattern stands outside of every GRAPH',
      })),
};

const queryUnguarded: QueryRule = {
  id: 'query-unguarded',
  severity: 'error',
  summary: 'A query about a record reads only graphs that belong to that record.',
  hint: 'Say so of each graph in itself: GRAPH ?part { ?part sp:belongsTo $record . … }.',
  check: (input) => {
    const place = new Places(input.sparql);
    const owner = isAboutRecord(input.call)
      ? 'does not belong to $record'
      : 'is nothing that the call is about';
    return unguarded(input)
      .filter(({ kind }) => kind !== 'no-graph')
      .map(({ kind, graph }) =>
        kind === 'elsewhere'
          ? { line: place.ofWord(graph), says: `it reads ${graph}, which nothing ties to the request` }
          : { line: place.ofGraph(graph), says: `a graph ?${graph} may be read that ${owner}` },
      );
  },
};

const queryUnconstrained: QueryRule = {
  id: 'query-unconstrained',
  severity: 'error',
  summary: 'Every parameter of the path decides what the query finds.',
  hint: 'Let $record and $resource stand in a pattern that must match, not only in OPTIONAL or the template.',
  check: ({ tree, template, call, sparql }): QueryBreach[] => {
    const deciding = decidingIn(tree.where.patterns, readerOf(tree));
    const idle = template.parameters
      .filter((name) => !deciding.has(name))
      .map((name) => ({ name, says: `$${name} decides nothing: it stands in no pattern that must match` }));
    // The request's IRI contains every parameter of the path, the record's IRI its id.
    const unasked = (deciding.has('resource') ? [] : call.pathParameters)
      .filter((name) => !deciding.has(name) && !(name === 'record_id' && deciding.has('record')))
      .map((name) => ({
        name,
        says: `{${name}} of the path decides nothing: neither $resource nor $${name} is used`,
      }));
    const place = new Places(sparql);
    return (idle.length > 0 ? idle : unasked).map(({ name, says }) => ({
      line: place.of(name) ?? place.ofWord('WHERE'),
      says,
    }));
  },
};

const queryFirst: QueryRule = {
  id: 'query-first',
  severity: 'warning',
  summary: 'The first pattern of a query binds the record or the item.',
  hint: 'Move the pattern with $record or $resource to the front: patterns are answered in the order of the text.',
  check: ({ tree, template, call, sparql }) => {
    const bound = firstIn(tree.where.patterns, readerOf(tree), []) ?? [];
    if (call.pathParameters.length === 0 || bound.some((name) => template.parameters.includes(name)))
      return [];
    const place = new Places(sparql);
    const what = isAboutRecord(call) ? 'the record or the item' : 'the item';
    return [
      {
        line: place.ofGraph(bound[0]) ?? place.of(bound[0]),
        says: `the first pattern does not bind ${what}`,
      },
    ];
  },
};

/** Documentation, clients and pages rely on the target of a call. */
const queryTarget: QueryRule = {
  id: 'query-target',
  severity: 'error',
  summary: 'A query finds instances of the target class of its call, or of a class beneath it.',
  hint: 'Ask for the class of api:target, or declare the one that the query asks for.',
  check: ({ tree, template, call, ontology, sparql }) => {
    const { name, target } = call;
    if (!ontology.classes.has(target)) return [];
    const found = new Set(['resource', ...(template.variable === undefined ? [] : [template.variable])]);
    const asked = classesOf(tree.where.patterns, readerOf(tree), found);
    const classes = asked.flatMap((term) => (term.kind === 'iri' ? [term.iri] : []));
    const [first] = classes;
    const isRelated = (iri: string): boolean => isA(ontology, iri, target) || isA(ontology, target, iri);
    // An item's path implies its class; a list without a class would contain anything of the record.
    if (asked.length === 0 && template.variable !== undefined && isAboutRecord(call))
      return [{ line: undefined, says: `it asks for no class, but ${name} declares ${shortName(target)}` }];
    if (first === undefined || classes.some(isRelated)) return [];
    const at = termsOf(sparql).find(({ iri }) => iri === first)?.at;
    return [
      {
        line: at === undefined ? undefined : lineAt(sparql, at),
        says: `it finds ${shortName(first)}, but ${name} declares ${shortName(target)}`,
      },
    ];
  },
};

function classesOf(patterns: readonly Pattern[], reader: Reader, names: ReadonlySet<string>): PatternTerm[] {
  return patterns.flatMap((pattern): PatternTerm[] => {
    if (pattern.type === 'query') return classesOf(pattern.where.patterns, reader, names);
    if (pattern.subType !== 'bgp')
      return 'patterns' in pattern ? classesOf(pattern.patterns, reader, names) : [];
    return reader.triples(pattern).flatMap(({ subject, predicate, object }) => {
      const isOfOne = subject.kind === 'variable' && names.has(subject.name);
      const isType = predicate.kind === 'iri' && predicate.iri === rdf.type;
      return isOfOne && isType ? [object] : [];
    });
  });
}

/**
 * Rules for a query's reach, in stages: a query that hardly mentions the record breaks several, so only the first
 * counts.
 */
export const reachRules = [
  [queryGraph, queryUnguarded],
  [queryUnconstrained],
  [queryTarget],
  [queryReach],
  [queryFirst],
] as const;

/**
 * Variables and parameters that decide the result: they occur in a pattern or filter that must match, not only in
 * OPTIONAL, MINUS, NOT EXISTS or some branches of a UNION.
 */
function decidingIn(patterns: readonly Pattern[], reader: Reader): Set<string> {
  const names = new Set(patterns.flatMap((pattern) => [...decidingBy(pattern, reader)]));
  // A variable bound under another name decides if that name does.
  for (const [source, alias] of patterns.flatMap(boundNames)) if (names.has(alias)) names.add(source);
  return names;
}

const boundNames = (pattern: Pattern): (readonly [string, string])[] =>
  pattern.type !== 'query' && pattern.subType === 'bind' ? equalities(pattern) : [];

function decidingBy(pattern: Pattern, reader: Reader): Iterable<string> {
  if (pattern.type === 'query') return decidingIn(pattern.where.patterns, reader);
  switch (pattern.subType) {
    case 'bgp':
      return reader
        .triples(pattern)
        .flatMap(({ subject, predicate, object }) => names(subject, predicate, object));
    case 'graph':
      return [...names(reader.graph(pattern)), ...decidingIn(pattern.patterns, reader)];
    case 'group':
      return decidingIn(pattern.patterns, reader);
    case 'union': {
      const [first = new Set<string>(), ...others] = pattern.patterns.map((branch) =>
        decidingIn(branch.patterns, reader),
      );
      return [...first].filter((name) => others.every((branch) => branch.has(name)));
    }
    case 'filter': {
      const groups = groupsIn(pattern.expression).filter(({ isPositive }) => isPositive);
      const inside = groups.flatMap((group) => [...decidingIn(group.patterns, reader)]);
      return [...variablesIn(pattern.expression), ...inside];
    }
    default:
      return [];
  }
}

function firstIn(patterns: readonly Pattern[], reader: Reader, graph: string[]): string[] | undefined {
  for (const pattern of patterns) {
    const found = firstOf(pattern, reader, graph);
    if (!found) continue;
    const sources = patterns.flatMap(boundNames).filter(([, alias]) => found.includes(alias));
    return [...found, ...sources.map(([source]) => source)];
  }
  return undefined;
}

function firstOf(pattern: Pattern, reader: Reader, graph: string[]): string[] | undefined {
  if (pattern.type === 'query') return firstIn(pattern.where.patterns, reader, graph);
  if (pattern.subType === 'bgp') {
    const [first] = reader.triples(pattern);
    return first && [...graph, ...names(first.subject, first.predicate, first.object)];
  }
  if (pattern.subType === 'graph') return firstIn(pattern.patterns, reader, names(reader.graph(pattern)));
  return 'patterns' in pattern ? firstIn(pattern.patterns, reader, graph) : undefined;
}

function names(...places: readonly PatternTerm[]): string[] {
  return places.flatMap((place) => (place.kind === 'variable' ? [place.name] : []));
}
