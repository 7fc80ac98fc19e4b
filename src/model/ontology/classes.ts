import { api, cg, owl, rdf, rdfs, sp } from '../../rdf/vocabulary.js';
import type { Graph } from './graph.js';
import type { ClassKind, ClassModel, PropertyRule } from './model.js';
import { localName } from './term-names.js';
import { ownRules, tightest } from './restrictions.js';
import { readShownAs } from './annotations.js';

/** Reads all named classes, and rdf:List if described, which OWL 2 DL lets nobody declare. @param targets of calls */
export function readClasses(graph: Graph, targets: ReadonlySet<string>): Map<string, ClassModel> {
  const lists = graph.about(rdf.List).length > 0 ? [rdf.List] : [];
  const iris = [...new Set([...graph.instances(owl.Class), ...lists])].sort();
  const rules = new Map(iris.map((iri) => [iri, ownRules(graph, iri)]));
  return new Map(iris.map((iri) => [iri, readClass(graph, iri, rules, targets)]));
}

/** Named superclasses, nearest first, without the class itself; tolerates circles. */
function ancestorsOf(graph: Graph, iri: string): string[] {
  const found = new Set<string>();
  let level = graph.iris(iri, rdfs.subClassOf);
  while (level.length > 0) {
    const fresh = [...new Set(level)].filter((ancestor) => ancestor !== iri && !found.has(ancestor));
    for (const ancestor of fresh) found.add(ancestor);
    level = fresh.flatMap((ancestor) => graph.iris(ancestor, rdfs.subClassOf));
  }
  return [...found];
}

function membersOf(graph: Graph, iri: string): string[] | undefined {
  for (const node of [iri, ...graph.objects(iri, owl.equivalentClass)]) {
    const head = graph.objects(node, owl.oneOf)[0];
    if (head) return graph.list(head).map((member) => member.value);
  }
  return undefined;
}

function readClass(
  graph: Graph,
  iri: string,
  ownRulesOf: ReadonlyMap<string, Map<string, PropertyRule>>,
  targets: ReadonlySet<string>,
): ClassModel {
  const ancestors = ancestorsOf(graph, iri);
  const rules = new Map<string, PropertyRule>();
  for (const origin of [iri, ...ancestors]) {
    for (const [property, rule] of ownRulesOf.get(origin) ?? []) {
      const near = rules.get(property);
      rules.set(property, near ? tightest(near, rule) : rule);
    }
  }
  const basePath = graph.value(iri, api.base_path);
  const label = graph.value(iri, rdfs.label) ?? localName(iri);
  return {
    iri,
    name: localName(iri),
    label,
    plural: graph.value(iri, api.namePlural) ?? label,
    heading: graph.value(iri, cg.heading),
    shown: readShownAs(graph, [iri, ...ancestors]),
    allows: graph.value(iri, cg.allows),
    insteadOf: graph.iris(iri, cg.insteadOf)[0],
    comment: graph.value(iri, rdfs.comment) ?? graph.value(iri, api.description) ?? '',
    ancestors,
    kind: kindOf(iri, ancestors, targets.has(iri) || basePath !== undefined),
    basePath,
    rules,
    members: membersOf(graph, iri),
    codeBase: graph.value(iri, cg.codeBase),
    form: graph.value(iri, cg.form),
    titleTags: graph.objects(iri, cg.titleTag).map(({ value }) => value),
    firstCodes: graph.value(iri, cg.firstCodes)?.split(/\s+/) ?? [],
    titleNoise: graph.value(iri, cg.titleNoise),
    titleSpecimen: graph.value(iri, cg.titleSpecimen),
    impersonal: [...new Set([iri, ...ancestors].flatMap((each) => graph.iris(each, cg.impersonal)))],
  };
}

function kindOf(iri: string, ancestors: readonly string[], addressed: boolean): ClassKind {
  const is = (ancestor: string): boolean => iri === ancestor || ancestors.includes(ancestor);
  if (is(sp.Statement)) return 'statement';
  if (addressed) return 'container';
  if (is(sp.Code)) return 'code';
  return is(sp.Component) || is(sp.VCardLabels) || is(rdf.List) ? 'component' : 'other';
}
