import { Graph } from '../../model/ontology/graph.js';
import type {
  CallModel,
  ClassModel,
  CodeModel,
  Ontology,
  PropertyModel,
  PropertyRule,
} from '../../model/ontology/model.js';
import { shortNameIn } from '../../model/ontology/term-names.js';
import type { Quad } from '../../rdf/terms.js';
import { api } from '../../rdf/vocabulary.js';
import { isCodeSet, type PageAddress } from './page-places.js';

/** Documentation of a class's rule for one property. */
export interface RuleDoc {
  readonly rule: PropertyRule;
  readonly name: string;
  readonly property: PropertyModel | undefined;
  /** `1`, `0–1`, `0 or more`, `1 or more`, `2–5`. */
  readonly cardinality: string;
  readonly inherited: boolean;
}

/** Documentation of a class or code set, with everything that refers to it. */
export interface ClassDoc {
  readonly model: ClassModel;
  readonly name: string;
  readonly place: PageAddress;
  readonly description: string;
  readonly rules: readonly RuleDoc[];
  readonly children: readonly string[];
  /** Calls that answer with the class or take it. */
  readonly calls: readonly CallModel[];
  /** Rules of other classes with values of this class. */
  readonly usedBy: readonly { readonly iri: string; readonly property: string }[];
  /** Client method names of the calls whose query names the class. */
  readonly queries: readonly string[];
  readonly codes?: CodeSetDoc;
}

export interface CodeSetDoc {
  /** Whether only these members belong to it. */
  readonly closed: boolean;
  readonly members: readonly CodeModel[];
}

export interface ClassSource {
  readonly ontology: Ontology;
  readonly quads: readonly Quad[];
  readonly places: ReadonlyMap<string, PageAddress>;
  readonly mentions: ReadonlyMap<string, readonly string[]>;
}

/** Documents every class, sorted by name. */
export function documentClasses(source: ClassSource): ClassDoc[] {
  const { ontology, quads, places, mentions } = source;
  const graph = new Graph(quads);
  return [...ontology.classes.values()]
    .map((model): ClassDoc => {
      const { iri } = model;
      return {
        model,
        name: shortNameIn(ontology, iri),
        place: places.get(iri) ?? { page: '' },
        description: graph.value(iri, api.description) ?? '',
        rules: [...model.rules.values()].map((rule) => ({
          rule,
          name: shortNameIn(ontology, rule.property),
          property: ontology.properties.get(rule.property),
          cardinality: cardinalityOf(rule),
          inherited: rule.from !== iri,
        })),
        children: [...ontology.classes.values()]
          .filter(({ ancestors }) => ancestors.includes(iri) && isDirect(ontology, ancestors, iri))
          .map((child) => child.iri),
        calls: ontology.calls.filter(({ target }) => target === iri),
        usedBy: usersOf(ontology, iri),
        queries: mentions.get(iri) ?? [],
        ...(isCodeSet(model) ? { codes: codesOf(ontology, model) } : {}),
      };
    })
    .sort((a, b) => a.model.label.localeCompare(b.model.label, 'en') || (a.name < b.name ? -1 : 1));
}

function isDirect({ classes }: Ontology, ancestors: readonly string[], iri: string): boolean {
  return !ancestors.some((between) => between !== iri && classes.get(between)?.ancestors.includes(iri));
}

function cardinalityOf({ min, max }: PropertyRule): string {
  if (max === Infinity) return `${min} or more`;
  return min === max ? String(min) : `${min}–${max}`;
}

/** Finds rules with a class as range or code set, each at the class that states it. */
function usersOf({ classes }: Ontology, iri: string): ClassDoc['usedBy'] {
  return [...classes.values()].flatMap((model) =>
    [...model.rules.values()]
      .filter(
        ({ from, classes: ranges, codeClass }) =>
          from === model.iri && (codeClass === iri || ranges.includes(iri)),
      )
      .map(({ property }) => ({ iri: model.iri, property })),
  );
}

function codesOf({ codes }: Ontology, { iri, members }: ClassModel): CodeSetDoc {
  const own = [...codes.values()].filter(({ classes }) => classes.includes(iri));
  return { closed: members !== undefined, members: own.sort((a, b) => a.title.localeCompare(b.title, 'en')) };
}
