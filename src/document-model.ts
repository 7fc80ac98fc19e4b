import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Analysis } from './analysts/analyses/analysis.js';
import { documentationOf, type Documentation } from './derive/documentation/documentation.js';
import type { MappingDoc } from './derive/documentation/mapping-doc.js';
import { pages } from './derive/documentation/page-places.js';
import { makeExamples } from './derive/examples/examples.js';
import { noExamples, type Examples } from './derive/examples/example.js';
import { openApi } from './derive/openapi/openapi.js';
import type { LoadedOntology } from './ontology/directory.js';
import { fileLinks, servedLinks, type Links } from './pages/docs/docs-links.js';
import { placesOfPages, writeDocsPage, type DocsContent } from './pages/docs/docs-pages.js';
import type { QueryTemplate } from './query/template.js';

/** The seed that is shipped with the package: the same from src and dist. */
const SHIPPED_SEED = resolve(import.meta.dirname, '..', 'seed');

/** The ontology and the queries that are documented. */
export interface DocumentedModel extends Pick<LoadedOntology, 'ontology' | 'quads'> {
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly analyses?: ReadonlyMap<string, Analysis>;
  /** The mapping of FHIR, read when it is first shown. */
  readonly mapping?: (() => Promise<readonly MappingDoc[]>) | undefined;
}

/** The container that is documented. */
export interface DocumentedContainer {
  /** Without a slash at its end. */
  readonly base: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly containerAccess: 'open' | 'signed';
  /**
   * The folder that examples are made from; default: the seed of the package. A container that serves must leave it
   * out: what somebody fills a container with may be about real people.
   */
  readonly seed?: string;
  /** Paths that the container serves beside its calls. */
  readonly served?: readonly string[];
  /** Is told why there are no examples. */
  readonly onFault?: (error: unknown) => void;
}

/** Everything that is derived from the ontology for people, and for programs that want examples. */
export interface DerivedDocumentation {
  readonly documentation: Documentation;
  /** The places of all pages, '' for the first. */
  readonly places: readonly string[];
  /** A page for a container that serves it below `/docs`. @throws RangeError for a place where there is none */
  servedPage(place: string): Promise<string>;
  /** A page for a file that may lie anywhere. */
  filePage(place: string): Promise<string>;
  /** The OpenAPI 3.1 document, indented. */
  openApi(): Promise<string>;
}

/** Documents a model; examples are made when they are first needed, and once. */
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

/** What is told of further things that a container may serve. */
const servedThings: Readonly<Record<string, string>> = {
  '/openapi.json': 'the calls as OpenAPI 3.1',
  '/context.jsonld': 'the JSON-LD context of the record model',
  '/ontology/shapes': 'the rules of the record model as SHACL shapes',
  '/endpoint/schema.json': 'the JSON Schema of FHIR Endpoint resources',
};

/** Examples explain, and nothing depends on them: without a seed that can be read there are none. */
async function examplesOf(
  { ontology, quads, queries }: DocumentedModel,
  { base, name, description, version, seed = SHIPPED_SEED, onFault }: DocumentedContainer,
): Promise<Examples> {
  if (!existsSync(seed)) return noExamples;
  // The address of whoever runs the container is nothing for an example.
  const manifest = { name, description, version, admin: 'admin@example.org' };
  try {
    return await makeExamples({ ontology, quads, queries, base, seed, container: manifest });
  } catch (error) {
    onFault?.(error);
    return noExamples;
  }
}
