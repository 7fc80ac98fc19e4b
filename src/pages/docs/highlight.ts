import { html, type Content } from '../html.js';

/** What stands out in a language: tags and names (t), strings (s), what is said in passing (c). */
type Marks = readonly (readonly [kind: 't' | 's' | 'c', pattern: string])[];

const string = String.raw`"(?:[^"\\\n]|\\.)*"`;

const languages: Readonly<Record<string, Marks>> = {
  'application/rdf+xml': [
    ['c', String.raw`<\?[^>]*\?>`],
    ['s', string],
    ['t', String.raw`<\/?[A-Za-z][\w:.-]*|\/?>`],
  ],
  'text/turtle': [
    ['s', string],
    ['c', String.raw`<[^<>\s]*>`],
    ['t', String.raw`@prefix|\b[A-Za-z][\w-]*:[A-Za-z][\w.-]*\b`],
  ],
  'application/json': [
    ['t', string + String.raw`(?=\s*:)`],
    ['s', string],
  ],
  shell: [
    ['c', '#[^\n]*'],
    ['s', String.raw`'[^'\n]*'|` + string],
    ['t', String.raw`\b(?:curl|npx|chartgraph)\b`],
  ],
};

const alike: Readonly<Record<string, string>> = {
  'application/ld+json': 'application/json',
  'application/problem+json': 'application/json',
};

/** Text of a language as markup in which names, strings and asides stand out; of unknown ones as it is. */
export function highlight(text: string, language: string): Content {
  const marks = languages[alike[language] ?? language];
  if (!marks) return text;
  const pattern = new RegExp(
    marks.map(([kind, source], index) => `(?<${kind}${index}>${source})`).join('|'),
    'g',
  );
  const pieces: Content[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [kind = 'c0'] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    pieces.push(text.slice(end, match.index), html`<span class="${kind.charAt(0)}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return [...pieces, text.slice(end)];
}
