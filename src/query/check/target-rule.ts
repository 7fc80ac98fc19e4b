import { isA } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { rdf } from '../../rdf/vocabulary.js';
import { lineAt } from '../tokenizer.js';
import { readerOf, type Pattern, type PatternTerm, type Reader } from './patterns.js';
import { isAboutRecord } from './policy.js';
import type { QueryRule } from './query-rule.js';
import { termsOf } from './terms-of.js';

/** The target of a call is believed by documentation, clients and pages: what the query finds has to be that. */
export const queryTarget: QueryRule = {
  id: 'query-target',
  severity: 'error',
  summary: 'What a query finds is of the class that its call declares as target, or of a kind of it.',
  hint: 'Ask for the class of api:target, or declare the one that the query asks for.',
  check: ({ tree, template, call, ontology, sparql }) => {
    const { name, target } = call;
    // A target that is no class is told where the call is described.
    if (!ontology.classes.has(target)) return [];
    const found = new Set(['resource', ...(template.variable === undefined ? [] : [template.variable])]);
    const asked = classesOf(tree.where.patterns, readerOf(tree), found);
    const classes = asked.flatMap((term) => (term.kind === 'iri' ? [term.iri] : []));
    const [first] = classes;
    const isRelated = (iri: string): boolean => isA(ontology, iri, target) || isA(ontology, target, iri);
    // The path of an item is that of its class; a list without one would have whatever the record has.
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

/** The classes that some variables, or parameters, are said to have. */
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
