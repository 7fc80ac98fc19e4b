import { cg, owl, sp } from '../../rdf/vocabulary.js';
import { isA, type ClassModel, type Ontology } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type OntologyRule } from './rule.js';

/** Says why a status can never say that something is over; undefined if it can. */
function idleStatus(ontology: Ontology, { rules }: ClassModel, property: string): string | undefined {
  const rule = rules.get(property);
  // Another rule reports a property that the class does not restrict.
  if (rule === undefined) return undefined;
  const { codeClass } = rule;
  if (codeClass === undefined) return 'whose values have no class of codes';
  const codes = [...ontology.codes.values()].filter(({ classes }) =>
    classes.some((set) => isA(ontology, set, codeClass)),
  );
  if (!codes.some(({ isOver }) => isOver)) return `and no code of ${shortName(codeClass)} states cg:over`;
  return codes.every(({ isOver }) => isOver)
    ? `and every code of ${shortName(codeClass)} states cg:over`
    : undefined;
}

const pageStatus: OntologyRule = {
  id: 'page-status',
  severity: 'error',
  summary: 'The status of a class has codes, of which some, and not all, say that a thing is over.',
  hint: 'Restrict the property to coded values of a class of codes, and state cg:over "true" on those that end a thing.',
  check: ({ graph, ontology }) =>
    [...ontology.classes.values()].flatMap((model) =>
      graph.iris(model.iri, cg.status).flatMap((property) => {
        const says = idleStatus(ontology, model, property);
        return says === undefined
          ? []
          : breach(model.iri, `states cg:status ${shortName(property)}, ${says}`, cg.status);
      }),
    ),
};

const pagePeriod: OntologyRule = {
  id: 'page-period',
  severity: 'error',
  summary: 'A class begins and ends with different properties.',
  hint: 'Let cg:date name when a thing begins, and cg:until when it ends.',
  check: ({ graph, ontology }) =>
    [...ontology.classes.values()].flatMap(({ iri, shown }) =>
      graph
        .iris(iri, cg.until)
        .filter((property) => shown.date.includes(property))
        .map((property) =>
          breach(iri, `states ${shortName(property)} both as cg:date and as cg:until`, cg.until),
        ),
    ),
};

const codeSet: OntologyRule = {
  id: 'code-set',
  severity: 'warning',
  summary: 'A closed set of codes is asked for by a property.',
  hint: 'Look whether a restriction names another set; a set that is kept for others is owl:deprecated true.',
  check: ({ graph, ontology }) => {
    const asked = [...ontology.classes.values()].flatMap(({ rules }) =>
      [...rules.values()].flatMap(({ codeClass, classes }) => [codeClass ?? '', ...classes]),
    );
    const sets = asked.filter((iri) => iri !== sp.Code && ontology.classes.get(iri)?.kind === 'code');
    return [...ontology.classes.values()]
      .filter(
        ({ iri, kind, members }) =>
          kind === 'code' && members !== undefined && !sets.some((set) => isA(ontology, iri, set)),
      )
      .filter(({ iri }) => graph.value(iri, owl.deprecated) !== 'true')
      .map(({ iri }) => breach(iri, 'lists codes that no property asks for'));
  },
};

const identifyingWord: OntologyRule = {
  id: 'identifying-word',
  severity: 'warning',
  summary:
    'A property that is called a number, an address or the like does not say that it tells nothing of a person.',
  hint: 'State cg:identifying "direct", so that analysts do not see it; or give it a label that says what it is.',
  check: ({ ontology }) =>
    [...ontology.properties.values()]
      .filter(
        ({ kind, label, identifying }) =>
          kind === 'datatype' && identifying === 'none' && telling.test(label),
      )
      .map(({ iri, label }) =>
        breach(iri, `is called ${label} and states cg:identifying "none"`, cg.identifying),
      ),
};

const telling = /\b(?:number|serial|identifier|phone|e-?mail|address|account)\b/i;

export const shownRules = [pageStatus, pagePeriod, codeSet, identifyingWord];
