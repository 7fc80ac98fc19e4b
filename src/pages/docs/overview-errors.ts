import { Problem, problemKinds, type ProblemKind } from '../../problem.js';
import { html, type Html } from '../html.js';
import type { DocsSource } from './docs-source.js';
import { code, table } from './page-elements.js';

/** The part of the first page about refusals: their form and every kind of them. */
export function errorSection({ documentation }: DocsSource): Html[] {
  const call = documentation.ontology.calls.find(
    ({ scope, method }) => scope === 'record' && method === 'GET',
  );
  const { type, title, status } = new Problem('forbidden', '');
  const shown = { type, title, status, detail: 'The access token is for another record.', call: call?.iri };
  return [
    html`<p>
      Every refusal is a problem document (RFC 9457), <code>application/problem+json</code>. It names the call
      and what is wrong, and holds nothing of a patient:
    </p>`,
    code(JSON.stringify(shown, null, 2), 'application/json', 'A problem document'),
    html`<p>
      The type is <code>${type.slice(0, type.indexOf('#') + 1)}</code> and one of these. Refusals come in one
      order: no such call, no such method, not proved, not allowed, malformed, not found, and then what the
      call itself refuses.
    </p>`,
    table(
      'Kinds of refusals',
      ['Type', 'Status', 'Meaning'],
      (Object.keys(problemKinds) as ProblemKind[]).map((kind) => ({
        id: `problem-${kind}`,
        cells: [html`<code>${kind}</code>`, problemKinds[kind].status, problemKinds[kind].title],
      })),
      { slim: true },
    ),
  ];
}
