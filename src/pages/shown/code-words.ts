import type { Ontology } from '../../model/ontology/model.js';
import { madeOnce } from '../../rdf/made-once.js';

const systemsWithTags = madeOnce(({ classes }: Ontology) =>
  [...classes.values()].flatMap(({ codeBase, titleTags, findingTags }) =>
    codeBase !== undefined && titleTags.length > 0 ? [{ codeBase, titleTags, findingTags }] : [],
  ),
);

const untagged = (text: string, tags: readonly string[]): string =>
  text.replaceAll(/ \(([^()]*)\)(?=$|[,;] )/gu, (written, tag: string) =>
    tags.includes(tag) ? '' : written,
  );

const systemOf = (ontology: Ontology, code: string) =>
  systemsWithTags(ontology).find(({ codeBase }) => code.startsWith(codeBase));

/** Whether a title ends with a tag by which the system of its code says that it is no disorder. */
export function isFinding(ontology: Ontology, code: string, title: string): boolean {
  return systemOf(ontology, code)?.findingTags.some((tag) => title.endsWith(` (${tag})`)) === true;
}

/** Returns what pages show for a code with a title: its heading, or the title (or titles) without the tags of its system. */
export function codeWords(ontology: Ontology, code: string, title: string): string {
  const known = ontology.codes.get(code);
  if (known?.heading !== undefined && title === known.title) return known.heading;
  const system = systemOf(ontology, code);
  return system ? untagged(title, system.titleTags) : title;
}

/** Returns a text that is made of titles of codes without the tags of their systems. */
export function wordsOfCodes(ontology: Ontology, text: string): string {
  return untagged(
    text,
    systemsWithTags(ontology).flatMap(({ titleTags }) => titleTags),
  );
}
