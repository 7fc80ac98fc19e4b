import { solidTokens } from '../query/tokenizer.js';
import type { Prefixes } from '../ontology/term-names.js';
import { missingPrefixes } from '../query/missing-prefixes.js';

export interface AnalysisDraft {
  readonly title: string;
  readonly description: string;
  readonly query: string;
}

/** Returns the text of an analysis as in `queries/analyses/`: with a head, and all prefixes declared. */
export function analysisText({ title, description, query }: AnalysisDraft, prefixes: Prefixes): string {
  const text = query.trim();
  const tokens = solidTokens(text);
  const declarations = missingPrefixes(tokens, prefixes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, iri]) => `PREFIX ${prefix}: <${iri}>\n`)
    .join('');
  const head = text.slice(0, tokens[0]?.at ?? 0).trim();
  const body = text.slice(tokens[0]?.at ?? 0);
  const own = hasTitle(head) ? head : newHead(title, description, head);
  return `${own}\n\n${declarations}${body}\n`;
}

function hasTitle(head: string): boolean {
  return head
    .split('\n')
    .map((line) => line.replace(/^#\s?/u, '').trim())
    .some((line) => line !== '' && !line.startsWith('$') && !/^(?:chart|aggregate):/u.test(line));
}

function newHead(title: string, description: string, more: string): string {
  const lines = [`# ${title}`, ...(description === '' ? [] : ['#', `# ${description}`])];
  return [...lines, ...(more === '' ? [] : ['#', more])].join('\n');
}

export function analysisFileName(title: string): string {
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '')
    .slice(0, 60);
  return `${/^[a-z]/u.test(name) ? name : `analysis_${name}`}.rq`;
}
