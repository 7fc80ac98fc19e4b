import type { Documentation } from '../../derive/documentation/documentation.js';
import type { MappingDoc } from '../../derive/documentation/mapping-doc.js';
import type { Examples } from '../../derive/examples/example.js';
import { shortName } from '../../ontology/term-names.js';
import { html, type Html } from '../html.js';
import type { Links } from './docs-links.js';

/** What the pages of the documentation are made of. */
export interface DocsSource {
  readonly documentation: Documentation;
  readonly examples: Examples;
  /** The queries that make statements of FHIR resources. */
  readonly mappings: readonly MappingDoc[];
  readonly links: Links;
  /** Base URL without a slash at its end. */
  readonly base: string;
  /** What the container calls itself, and says of itself. */
  readonly container: string;
  readonly description: string;
  readonly containerAccess: 'open' | 'signed';
  /** Paths of further descriptions that the container serves, with what they are. */
  readonly served: readonly (readonly [path: string, what: string])[];
}

/** A class or property by its name, as a link to where it is explained; an IRI that is explained nowhere as text. */
export function termLink({ documentation, links }: DocsSource, iri: string, label?: string): Html {
  const place = documentation.places.get(iri);
  const shown = label ?? html`<code>${shortName(iri)}</code>`;
  return place ? html`<a href="${links.to(place)}">${shown}</a>` : html`${shown}`;
}
