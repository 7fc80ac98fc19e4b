import type { CallModel, ClassModel, Ontology } from '../../model/ontology/model.js';
import { localName, shortNameIn } from '../../model/ontology/term-names.js';
import { prefixes, sp } from '../../rdf/vocabulary.js';

/** Where something is documented: a page below the documentation's root ('' for the first), and an anchor. */
export interface PageAddress {
  readonly page: string;
  readonly anchor?: string;
}

/** Pages other than those of single calls, classes and code sets. */
export const pages = {
  overview: '',
  calls: 'calls',
  classes: 'classes',
  codes: 'codes',
  properties: 'properties',
  mappings: 'mappings',
} as const;

/** Whether a class is a set of codes rather than a part of the record model. */
export function isCodeSet({ kind, iri }: ClassModel): boolean {
  return kind === 'code' && iri !== sp.Code;
}

/** Returns the address of every class and property, by IRI. */
export function placesOf(
  ontology: Pick<Ontology, 'classes' | 'properties' | 'prefixes'>,
): Map<string, PageAddress> {
  const { classes, properties } = ontology;
  // `sp-drugName` for sp:drugName; without a prefix, the last part of the IRI.
  const prefixedSlug = (iri: string): string => {
    const name = shortNameIn(ontology, iri);
    return written(name === iri ? localName(iri) : name);
  };
  // `Medication` for sp:Medication and spcode:Medication, `v-Name` for v:Name.
  const shortSlug = (iri: string): string =>
    [prefixes.sp, prefixes.spcode].some((own) => iri.startsWith(own))
      ? written(localName(iri))
      : prefixedSlug(iri);
  const models = [...classes.values()];
  const sets = slugs(
    models.filter(isCodeSet).map(({ iri }) => iri),
    shortSlug,
  );
  const others = slugs(
    models.filter((model) => !isCodeSet(model)).map(({ iri }) => iri),
    shortSlug,
  );
  return new Map<string, PageAddress>([
    ...[...slugs([...properties.keys()], prefixedSlug)].map(
      ([iri, anchor]) => [iri, { page: pages.properties, anchor }] as const,
    ),
    ...[...sets].map(([iri, slug]) => [iri, { page: `${pages.codes}/${slug}` }] as const),
    ...[...others].map(([iri, slug]) => [iri, { page: `${pages.classes}/${slug}` }] as const),
  ]);
}

export function placeOfCall({ name }: Pick<CallModel, 'name'>): PageAddress {
  return { page: `${pages.calls}/${encodeURIComponent(name)}` };
}

const reserved: readonly string[] = ['content', 'contents'];

/** Makes a short unique name for each IRI, with numbers for duplicates. */
function slugs(iris: readonly string[], slugOf: (iri: string) => string): Map<string, string> {
  const taken = new Set(reserved);
  return new Map(
    iris.map((iri) => {
      const name = slugOf(iri);
      let slug = name;
      for (let number = 2; taken.has(slug.toLowerCase()); number++) slug = `${name}-${number}`;
      // File systems may ignore case, and documentation may be written to files.
      taken.add(slug.toLowerCase());
      return [iri, slug];
    }),
  );
}

function written(name: string): string {
  return name.replace(/[^A-Za-z0-9_.]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'term';
}
