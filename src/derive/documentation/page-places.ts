import type { CallModel, ClassModel, Ontology } from '../../ontology/model.js';
import { localName, shortName } from '../../ontology/term-names.js';
import { prefixes, sp } from '../../rdf/vocabulary.js';

/** Where something is documented: the page below the documentation's own address, '' for its first, and a place in it. */
export interface PageAddress {
  readonly page: string;
  readonly anchor?: string;
}

/** The pages that are there besides those of single calls, classes and code sets. */
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

/** The place of every class and property by its IRI. */
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

/** The page of a call. */
export function placeOfCall({ name }: Pick<CallModel, 'name'>): PageAddress {
  return { page: `${pages.calls}/${encodeURIComponent(name)}` };
}

/** Anchors that every page has. */
const reserved: readonly string[] = ['content', 'contents'];

/** A short name for each IRI that can stand in an address: two IRIs with one name get numbers. */
function slugs(iris: readonly string[], slugOf: (iri: string) => string = shortSlug): Map<string, string> {
  const taken = new Set(reserved);
  return new Map(
    iris.map((iri) => {
      const name = slugOf(iri);
      let slug = name;
      for (let number = 2; taken.has(slug.toLowerCase()); number++) slug = `${name}-${number}`;
      // File systems may not tell capitals apart, and documentation may be written to files.
      taken.add(slug.toLowerCase());
      return [iri, slug];
    }),
  );
}

/** `Medication` for sp:Medication and spcode:Medication, `v-Name` for v:Name. */
function shortSlug(iri: string): string {
  const isOwn = iri.startsWith(prefixes.sp) || iri.startsWith(prefixes.spcode);
  return isOwn ? written(localName(iri)) : prefixedSlug(iri);
}

/** `sp-drugName` for sp:drugName; the last part of an IRI for which there is no prefix. */
function prefixedSlug(iri: string): string {
  return written(shortName(iri) === iri ? localName(iri) : shortName(iri));
}

function written(name: string): string {
  return name.replace(/[^A-Za-z0-9_.]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'term';
}
