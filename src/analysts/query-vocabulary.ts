import type { ClassKind, ClassModel, Ontology, PropertyModel } from '../model/ontology/model.js';
import { shortNameIn } from '../model/ontology/term-names.js';
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
  const nameOf = (iri: string): string => shortNameIn(ontology, iri);
  const words = ({ iri, label, comment }: ClassModel | PropertyModel): TermWords => ({
    name: nameOf(iri),
    iri,
    label,
    comment,
  });
  return {
    prefixes: { ...queryPrefixes, ...ontology.prefixes },
    classes: [...ontology.classes.values()].map((each) => ({
      ...words(each),
      kind: each.kind,
      properties: propertiesOf(ontology, each, nameOf),
    })),
    properties: [...ontology.properties.values()].map(words),
  };
}

function propertiesOf(
  { classes: all }: Ontology,
  { rules }: ClassModel,
  nameOf: (iri: string) => string,
): PropertyOfClass[] {
  return [...rules.values()].map(({ property, min, max, classes }) => {
    // With several titles, no single one suits every value.
    const titles = new Set(classes.flatMap((iri) => all.get(iri)?.shown.title ?? []));
    const [title] = titles.size === 1 ? titles : [];
    return {
      name: nameOf(property),
      min,
      ...(Number.isFinite(max) && { max }),
      classes: classes.map(nameOf),
      ...(title !== undefined && { title: nameOf(title) }),
    };
  });
}
