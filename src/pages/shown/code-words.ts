import type { Ontology } from '../../model/ontology/model.js';
import { madeOnce } from '../../rdf/made-once.js';

const systemsWithTags = madeOnce(({ classes }: Ontology) =>
  [...classes.values()].flatMap(({ codeBase, titleTags }) =>
    codeBase !== undefined && titleTags.length > 0 ? [{ codeBase, titleTags }] : [],
  ),
);

/** Returns what pages show for a code with a title: its heading, or the title without the tag that its system adds. */
export function codeWords(ontology: Ontology, code: string, title: string): string {
  const known = ontology.codes.get(code);
  if (known?.heading !== undefined && title === known.title) return known.heading;
  const { titleTags = [] } =
    systemsWithTags(ontology).find(({ codeBase }) => code.startsWith(codeBase)) ?? {};
  const tag = titleTags.find((each) => title.endsWith(` (${each})`));
  return tag === undefined ? title : title.slice(0, -` (${tag})`.length);
}
