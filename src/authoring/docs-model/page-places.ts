import type { CallModel, ClassModel, Ontology } from '../../model/ontology/model.js';
import { localName, shortName } from '../../model/ontology/term-names.js';
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
export function placesOf({
  classes,
  properties,
}: Pick<Ontology, 'classes' | 'properties'>): Map<string, PageAddress> {
  const models = [...classes.values()];
  const sets = slugs(models.filter(isCodeSet).map(({ iri }) => iri));
  const others = slugs(models.filter((model) => !isCodeSet(model)).map(({ iri }) => iri));
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
function slugs(iris: readonly string[], slugOf: (iri: string) => string = shortSlug): Map<string, string> {
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

/** Makes `Medication` from sp:Medication and spcode:Medication, `v-Name` from v:Name. */
function shortSlug(iri: string): string {
  const isOwn = iri.startsWith(prefixes.sp) || iri.startsWith(prefixes.spcode);
  return isOwn ? written(localName(iri)) : prefixedSlug(iri);
}

/** Makes `sp-drugName` from sp:drugName; without a prefix, the last part of the IRI. */
function prefixedSlug(iri: string): string {
  return written(shortName(iri) === iri ? localName(iri) : shortName(iri));
}

function written(name: string): string {
  return name.replace(/[^A-Za-z0-9_.]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'term';
}
