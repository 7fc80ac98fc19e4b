import type { ClassKind, ClassModel, Ontology, PropertyModel } from '../model/ontology/model.js';
import { shortName } from '../model/ontology/term-names.js';
import { knownPrefixes } from '../rdf/known-prefixes.js';
import { queryPrefixes } from '../rdf/vocabulary.js';

/** The terms that a query can name: those of the ontology by their short names, for editors. */
export interface QueryVocabulary {
  readonly prefixes: Readonly<Record<string, string>>;
  readonly classes: readonly ClassWords[];
  readonly properties: readonly TermWords[];
}

export interface TermWords {
  readonly name: string;
  readonly iri: string;
  readonly label: string;
  readonly comment: string;
}

export interface ClassWords extends TermWords {
  readonly kind: ClassKind;
  /** Properties of its instances, in the order of the ontology. */
  readonly properties: readonly PropertyOfClass[];
}

export interface PropertyOfClass {
  readonly name: string;
  readonly min: number;
  readonly max?: number;
  readonly classes: readonly string[];
  /** The property that names its value, such as the title of a code. */
  readonly title?: string;
}

export function queryVocabulary(ontology: Ontology): QueryVocabulary {
  return {
    prefixes: { ...queryPrefixes, ...knownPrefixes },
    classes: [...ontology.classes.values()].map((each) => ({
      ...words(each),
      kind: each.kind,
      properties: propertiesOf(ontology, each),
    })),
    properties: [...ontology.properties.values()].map(words),
  };
}

const words = ({ iri, label, comment }: ClassModel | PropertyModel): TermWords => ({
  name: shortName(iri),
  iri,
  label,
  comment,
});

function propertiesOf({ classes: all }: Ontology, { rules }: ClassModel): PropertyOfClass[] {
  return [...rules.values()].map(({ property, min, max, classes }) => {
    // With several titles, no single one suits every value.
    const titles = new Set(classes.flatMap((iri) => all.get(iri)?.shown.title ?? []));
    const [title] = titles.size === 1 ? titles : [];
    return {
      name: shortName(property),
      min,
      ...(Number.isFinite(max) && { max }),
      classes: classes.map(shortName),
      ...(title !== undefined && { title: shortName(title) }),
    };
  });
}
