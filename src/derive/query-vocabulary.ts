import type { ClassKind, ClassModel, Ontology, PropertyModel } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { queryPrefixes } from '../rdf/vocabulary.js';

/** What whoever writes a query can name: the terms of the ontology by their short names, for editors. */
export interface QueryVocabulary {
  /** Prefixes that need no declaration. */
  readonly prefixes: Readonly<Record<string, string>>;
  readonly classes: readonly ClassWords[];
  readonly properties: readonly TermWords[];
}

export interface TermWords {
  /** With its prefix, such as `sp:Problem`. */
  readonly name: string;
  readonly iri: string;
  readonly label: string;
  readonly comment: string;
}

export interface ClassWords extends TermWords {
  readonly kind: ClassKind;
  /** What its instances have, in the order of the ontology. */
  readonly properties: readonly PropertyOfClass[];
}

export interface PropertyOfClass {
  readonly name: string;
  readonly min: number;
  /** Undefined where nothing bounds it. */
  readonly max?: number;
  /** The classes of what it leads to, by their short names. */
  readonly classes: readonly string[];
  /** The property by which people know what it leads to, such as the title of a coded value. */
  readonly title?: string;
}

/** The terms of an ontology as editors of queries offer them. */
export function queryVocabulary(ontology: Ontology): QueryVocabulary {
  return {
    prefixes: queryPrefixes,
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
    // One of several would have to be chosen for everybody.
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
