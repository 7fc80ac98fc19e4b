import type { Documentation } from '../../derive/documentation/documentation.js';
import { pages, type PageAddress } from '../../derive/documentation/page-places.js';
import { scopes, type Scope } from '../../ontology/model.js';
import { html, type Content, type Html } from '../html.js';
import type { DocsPageContext } from './docs-layout.js';
import { overviewParts } from './overview-parts.js';
import { methodBadge } from './page-elements.js';

/** What groups of calls are called. */
export const scopeNames: Readonly<Record<Scope, string>> = {
  container: 'Container',
  record: 'One record',
  user: 'One user',
  app: 'One background app',
};

/** What groups of classes are called, in their order. */
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

/** The contents of the documentation; the part in which the page stands is open. */
export function contents(around: DocsPageContext): Html {
  const { documentation, here } = around;
  const [section] = here.split('/');
  return html`${part(around, 'Overview', section === pages.overview, [
    {
      entries: [
        { place: { page: pages.overview }, label: 'Start' },
        ...overviewParts.map(({ id, title }) => ({
          place: { page: pages.overview, anchor: id },
          label: title,
        })),
      ],
    },
  ])}
  ${part(around, 'Calls', section === pages.calls, [
    { entries: [{ place: { page: pages.calls }, label: 'All calls' }] },
    ...callGroups(documentation).map(({ scope, calls }) => ({
      title: scopeNames[scope],
      entries: calls.map(({ call, place }) => ({ place, label: html`${methodBadge(call)} ${call.label}` })),
    })),
  ])}
  ${part(around, 'Classes', section === pages.classes, [
    { entries: [{ place: { page: pages.classes }, label: 'All classes' }] },
    ...classGroups(documentation).map(({ kind, classes }) => ({
      title: kindNames[kind],
      entries: classes.map(({ model, place }) => ({ place, label: model.label })),
    })),
  ])}
  ${part(around, 'Code sets', section === pages.codes, [
    {
      entries: [
        { place: { page: pages.codes }, label: 'All code sets' },
        ...documentation.codeSets.map(({ model, place }) => ({ place, label: model.label })),
      ],
    },
  ])}
  ${part(around, 'Properties', section === pages.properties, [
    { entries: [{ place: { page: pages.properties }, label: 'All properties' }] },
  ])}
  ${part(around, 'From FHIR', section === pages.mappings, [
    { entries: [{ place: { page: pages.mappings }, label: 'All mappings' }] },
  ])}`;
}

/** The calls by their scope, each group in the order of paths. */
export function callGroups({ calls }: Documentation) {
  return scopes.flatMap((scope) => {
    const own = calls.filter(({ call }) => call.scope === scope);
    const sorted = own.sort((a, b) => (a.call.path < b.call.path ? -1 : a.call.path > b.call.path ? 1 : 0));
    return own.length > 0 ? [{ scope, calls: sorted }] : [];
  });
}

/** The classes by what they are. */
export function classGroups({ classes }: Documentation) {
  return (Object.keys(kindNames) as (keyof typeof kindNames)[]).flatMap((kind) => {
    const own = classes.filter(({ model }) => model.kind === kind);
    return own.length > 0 ? [{ kind, classes: own }] : [];
  });
}

function part(
  { links, here }: DocsPageContext,
  title: string,
  isOpen: boolean,
  groups: readonly { readonly title?: string; readonly entries: readonly Entry[] }[],
): Html {
  return html`<details ${isOpen && open}>
    <summary>${title}</summary>
    ${groups.map(
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
