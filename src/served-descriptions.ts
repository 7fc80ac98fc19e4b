import type { BrowserProgram } from './browser-program.js';
import { jsonLdContext } from './derive/jsonld-context.js';
import { queryVocabulary } from './derive/query-vocabulary.js';
import { documentModel, type DocumentedContainer, type DocumentedModel } from './document-model.js';
import { WORKBENCH_PATH } from './http/analysts/sparql-routes.js';
import { cacheControl } from './http/answer.js';
import type { Description } from './http/descriptions.js';
import { docsStyleSource } from './pages/docs/docs-style.js';
import { icon, ICON_PATH } from './pages/icon.js';
import { formats } from './rdf/formats.js';
import { writeRdf } from './rdf/write.js';
import { deriveShapes } from './validate/shapes/derive-shapes.js';
import { shapesText } from './validate/shapes/shapes-text.js';

type Forms = Description['representations'];

/** What a container says of itself: each made from the ontology, none from what is stored. */
export function describeContainer(
  model: DocumentedModel,
  container: DocumentedContainer,
): readonly Description[] {
  const { ontology } = model;
  const descriptions: Description[] = [
    {
      path: '/context.jsonld',
      representations: one('application/ld+json', () => indented({ '@context': jsonLdContext(ontology) })),
    },
    { path: '/openapi.json', representations: one('application/json', () => documents.openApi()) },
    {
      path: '/ontology/shapes',
      representations: [
        { format: 'turtle', ...text(formats.turtle.mediaType, () => shapesText(ontology)) },
        ...(['rdfxml', 'ntriples', 'jsonld'] as const).map((format) => ({
          format,
          ...text(formats[format].mediaType, () => writeRdf(deriveShapes(ontology), format)),
        })),
      ],
    },
    {
      path: '/endpoint/schema.json',
      representations: one(
        'application/schema+json',
        async () => (await import('./endpoint/schema.js')).endpointSchemaText,
      ),
    },
  ];
  const documents = documentModel(model, { ...container, served: descriptions.map(({ path }) => path) });
  const pages = documents.places.map((place): Description => ({
    path: place === '' ? '/docs' : `/docs/${place}`,
    representations: one('text/html; charset=utf-8', () => documents.servedPage(place)),
    styleSource: docsStyleSource,
  }));
  return [...descriptions, { path: ICON_PATH, representations: one('image/svg+xml', () => icon) }, ...pages];
}

/** What the browser of an analyst loads beside the page of the workbench: the same for everybody. */
export function describeWorkbench(
  { ontology }: Pick<DocumentedModel, 'ontology'>,
  { path, bytes }: BrowserProgram,
): readonly Description[] {
  return [
    {
      path,
      cacheControl: cacheControl.forever,
      representations: [
        { mediaType: 'text/javascript; charset=utf-8', make: () => Promise.resolve({ body: bytes }) },
      ],
    },
    {
      path: `${WORKBENCH_PATH}/vocabulary.json`,
      representations: one('application/json', () => JSON.stringify(queryVocabulary(ontology))),
    },
  ];
}

function text(mediaType: string, write: () => string | Promise<string>): Forms[number] {
  return { mediaType, make: async () => ({ body: await write() }) };
}

const one = (mediaType: string, write: () => string | Promise<string>): Forms => [text(mediaType, write)];

const indented = (value: unknown): string => JSON.stringify(value, undefined, 2) + '\n';
