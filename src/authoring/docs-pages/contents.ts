import type { Documentation } from '../docs-model/documentation.js';
import { pages, type PageAddress } from '../docs-model/page-places.js';
import { scopes, type Scope } from '../../model/ontology/model.js';
import { html, type Content, type Html } from '../../http/html/html.js';
import type { DocsPageContext } from './docs-pages.js';
import { overviewParts } from './overview-page.js';
import { methodBadge } from './page-elements.js';

export const scopeNames: Readonly<Record<Scope, string>> = {
  container: 'Container',
  record: 'One record',
  user: 'One user',
  app: 'One background app',
};

export const kindNames = {
  statement: 'Statements of a record',
  container: 'Beside records',
  component: 'Parts of statements',
  code: 'Codes',
  other: 'The interface itself',
} as const;

interface Entry {
  readonly place: PageAddress;
  readonly label: Content;
}

/** The table of contents; the part with the current page is open. */
export function contents(around: DocsPageContext): Html {
  const { documentation } = around;
  const ofOverview = overviewParts.map(({ id, title }) => ({
    place: { page: pages.overview, anchor: id },
    label: title,
  }));
  return html`${part(around, 'Overview', pages.overview, 'Start', ofOverview)}
  ${part(
    around,
    'Calls',
    pages.calls,
    'All calls',
    [],
    callGroups(documentation).map(({ scope, calls }) => ({
      title: scopeNames[scope],
      entries: calls.map(({ call, place }) => ({ place, label: html`${methodBadge(call)} ${call.label}` })),
    })),
  )}
  ${part(
    around,
    'Classes',
    pages.classes,
    'All classes',
    [],
    classGroups(documentation).map(({ kind, classes }) => ({
      title: kindNames[kind],
      entries: classes.map(({ model, place }) => ({ place, label: model.label })),
    })),
  )}
  ${part(
    around,
    'Code sets',
    pages.codes,
    'All code sets',
    documentation.codeSets.map(({ model, place }) => ({ place, label: model.label })),
  )}
  ${part(around, 'Properties', pages.properties, 'All properties')}
  ${part(around, 'From FHIR', pages.mappings, 'All mappings')}`;
}

/** Groups calls by scope, each sorted by path. */
export function callGroups({ calls }: Documentation) {
  return scopes.flatMap((scope) => {
    const own = calls.filter(({ call }) => call.scope === scope);
    const sorted = own.sort((a, b) => (a.call.path < b.call.path ? -1 : a.call.path > b.call.path ? 1 : 0));
    return own.length > 0 ? [{ scope, calls: sorted }] : [];
  });
}

export function classGroups({ classes }: Documentation) {
  return (Object.keys(kindNames) as (keyof typeof kindNames)[]).flatMap((kind) => {
    const own = classes.filter(({ model }) => model.kind === kind);
    return own.length > 0 ? [{ kind, classes: own }] : [];
  });
}

/** @param first the title of its first page @param entries of further pages @param groups of further pages */
function part(
  { links, here }: DocsPageContext,
  title: string,
  page: string,
  first: string,
  entries: readonly Entry[] = [],
  groups: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [],
): Html {
  const all = [{ title: undefined, entries: [{ place: { page }, label: first }, ...entries] }, ...groups];
  return html`<details ${page === here.split('/')[0] && open}>
    <summary>${title}</summary>
    ${all.map(
      ({ title: heading, entries }) =>
        html`${heading !== undefined && html`<p class="group">${heading}</p>`}
          <ul>
            ${entries.map(
              ({ place, label }) =>
                html`<li>
                  <a href="${links.to(place)}" ${place.page === here && place.anchor === undefined && current}
                    >${label}</a
                  >
                </li>`,
            )}
          </ul>`,
    )}
  </details>`;
}

const open = html`open`;
const current = html`aria-current="page"`;
