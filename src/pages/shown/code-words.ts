import { capital } from '../../http/html/readable.js';
import type { Ontology } from '../../model/ontology/model.js';
import { madeOnce } from '../../rdf/made-once.js';

const systemsOfTitles = madeOnce(({ classes }: Ontology) =>
  [...classes.values()].flatMap(({ codeBase, titleTags, titleNoise, titleSpecimen }) =>
    codeBase !== undefined &&
    (titleTags.length > 0 || titleNoise !== undefined || titleSpecimen !== undefined)
      ? [
          {
            codeBase,
            titleTags,
            noise: titleNoise && new RegExp(titleNoise, 'gu'),
            specimen: titleSpecimen && new RegExp(titleSpecimen, 'u'),
          },
        ]
      : [],
  ),
);

const untagged = (text: string, tags: readonly string[]): string =>
  text.replaceAll(/ \(([^()]*)\)(?=$|[,;] )/gu, (written, tag: string) =>
    tags.includes(tag) ? '' : written,
  );

const systemOf = (ontology: Ontology, code: string) =>
  systemsOfTitles(ontology).find(({ codeBase }) => code.startsWith(codeBase));

/** Returns where codes stand among equals, those with a cg:order or named as the first of their system. */
export const placesOfCodes = madeOnce(({ codes, classes }: Ontology) => {
  const first = [...classes.values()].flatMap(({ codeBase, firstCodes }) =>
    firstCodes.map((identifier, at) => [`${codeBase}${identifier}`, at] as const),
  );
  return new Map([...Array.from(codes.values(), ({ iri, order }) => [iri, order] as const), ...first]);
});

/** Returns what pages show for a code with a title: its heading, or the title (or titles) without the tags and the noise of its system. */
export function codeWords(ontology: Ontology, code: string, title: string): string {
  const known = ontology.codes.get(code);
  const { titleTags = [], noise } = systemOf(ontology, code) ?? {};
  const plain = untagged(title, titleTags);
  if (known?.heading !== undefined && plain === known.title) return known.heading;
  return noise ? plain.replaceAll(noise, '') : plain;
}

/** Returns the title of a code without the specimen in which a substance was measured; undefined where it names none. */
export function substanceOf(ontology: Ontology, code: string, title: string): string | undefined {
  const { specimen } = systemOf(ontology, code) ?? {};
  return specimen && specimen.test(title) ? title.replace(specimen, '') : undefined;
}

/** Returns a text that is made of titles of codes without the tags of their systems. */
export function wordsOfCodes(ontology: Ontology, text: string): string {
  const tags = systemsOfTitles(ontology).flatMap(({ titleTags }) => titleTags);
  // SNOMED CT writes results as equations: Urine blood test = +.
  return untagged(text, tags).replaceAll(/ = (?=[+-]+$)/gu, ': ');
}

/** What a status says that a day, or the list of what is current, says as well. */
const UNSAID = new Set(['active', 'available', 'completed', 'confirmed', 'final']);
const isCode = (status: string): boolean => /^[a-z]+(-[a-z]+)*$/u.test(status);

/** Returns statuses parted by commas, of which some may be codes of FHIR, in words. */
export function wordsOfStatuses(statuses: string): string {
  const words = statuses.split(', ').map((each) => (isCode(each) ? each.replaceAll('-', ' ') : each));
  return capital(words.join(', ').replace(/^unknown$/iu, 'not known'));
}

/** Returns the statuses that do not go without saying, in words; '' for none. */
export function notedStatuses(statuses: string): string {
  const noted = statuses.split(', ').filter((each) => !UNSAID.has(each.toLowerCase()));
  const words = wordsOfStatuses(noted.join(', '));
  return words === 'Not known' ? 'Status not known' : words;
}
