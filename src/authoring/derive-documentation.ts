import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Analysis } from '../model/analyses/analysis.js';
import { documentationOf, type Documentation } from './docs-model/documentation.js';
import type { MappingDoc } from './docs-model/mapping-doc.js';
import { pages } from './docs-model/page-places.js';
import { makeExamples } from './examples/examples.js';
import { noExamples, type Examples } from './examples/example.js';
import { openApi } from './openapi/openapi.js';
import type { LoadedOntology } from '../model/ontology/directory.js';
import { fileLinks, servedLinks, type Links } from './docs-pages/docs-source.js';
import { placesOfPages, writeDocsPage, type DocsContent } from './docs-pages/docs-pages.js';
import type { QueryTemplate } from '../model/query/template.js';
import type { Quad } from '../rdf/terms.js';

/** The seed in the package, the same from src and dist. */
const SHIPPED_SEED = resolve(import.meta.dirname, '..', '..', 'seed');

export interface DocumentedModel extends Pick<LoadedOntology, 'ontology'> {
  readonly quads: readonly Quad[];
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly analyses?: ReadonlyMap<string, Analysis>;
  /** The mapping of FHIR, read when first shown. */
  readonly mapping?: (() => Promise<readonly MappingDoc[]>) | undefined;
}

export interface DocumentedContainer {
  readonly base: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly containerAccess: 'open' | 'signed';
  /** The folder for examples. A container must not set it: its own data may be about real people. */
  readonly seed?: string;
  readonly served?: readonly string[];
  /** Receives the reason when there are no examples. */
  readonly onFault?: (error: unknown) => void;
}

/** Documents for people, and for programs that want examples, derived from the ontology. */
export interface DerivedDocumentation {
  readonly documentation: Documentation;
  /** The paths of all pages, '' for the first. */
  readonly places: readonly string[];
  /** Makes a page for a container that serves it below `/docs`. @throws RangeError for an unknown page */
  servedPage(place: string): Promise<string>;
  /** Makes a page for a file that may be anywhere. */
  filePage(place: string): Promise<string>;
  openApi(): Promise<string>;
}

/** Documents a model. Examples are made once, when first needed. */
export function documentModel(model: DocumentedModel, container: DocumentedContainer): DerivedDocumentation {
  const documentation = documentationOf(model);
  const { base, name, containerAccess, description } = container;
  const served = (container.served ?? []).flatMap((path) => {
    const what = servedThings[path];
    return what === undefined ? [] : [[path, what] as const];
  });
  let making: Promise<Examples> | undefined;
  const examples = (): Promise<Examples> => (making ??= examplesOf(model, container));
  let reading: Promise<readonly MappingDoc[]> | undefined;
  const mappings = (): Promise<readonly MappingDoc[]> =>
    (reading ??= model.mapping?.() ?? Promise.resolve([]));
  const page = async (place: string, links: Links): Promise<string> => {
    const content: DocsContent = {
      documentation,
      mappings: place === pages.mappings ? await mappings() : [],
      examples: await examples(),
      base,
      container: name,
      description,
      containerAccess,
      served,
    };
    return writeDocsPage(content, place, links);
  };
  const { pathname } = new URL(base);
  return {
    documentation,
    places: placesOfPages({ documentation }),
    servedPage: (place) => page(place, servedLinks(pathname.replace(/\/$/, ''))),
    filePage: (place) => page(place, fileLinks(place, base)),
    openApi: async () =>
      JSON.stringify(
        openApi({
          documentation,
          examples: await examples(),
          base,
          name,
          description,
          containerAccess,
          ...(model.analyses && { analyses: model.analyses }),
        }),
        null,
        2,
      ) + '\n',
  };
}

/** Descriptions of further paths that a container may serve. */
const servedThings: Readonly<Record<string, string>> = {
  '/openapi.json': 'the calls as OpenAPI 3.1',
  '/context.jsonld': 'the JSON-LD context of the record model',
  '/ontology/shapes': 'the rules of the record model as SHACL shapes',
  '/endpoint/schema.json': 'the JSON Schema of FHIR Endpoint resources',
};

/** Makes the examples. They only explain, so without a readable seed there are none. */
async function examplesOf(
  { ontology, quads, queries }: DocumentedModel,
  { base, name, description, version, seed = SHIPPED_SEED, onFault }: DocumentedContainer,
): Promise<Examples> {
  if (!existsSync(seed)) return noExamples;
  // The operator's address does not belong in an example.
  const manifest = { name, description, version, admin: 'admin@example.org' };
  try {
    return await makeExamples({ ontology, quads, queries, base, seed, container: manifest });
  } catch (error) {
    onFault?.(error);
    return noExamples;
  }
}
