import { jsonLdContext } from './derive/jsonld-context.js';
import { documentModel, type DocumentedContainer, type DocumentedModel } from './document-model.js';
import type { Description, Descriptions } from './http/descriptions.js';
import { docsStyleSource } from './pages/docs/docs-style.js';
import { shapesText } from './validate/shapes/shapes-text.js';

/** What a container says of itself, by path: each made from the ontology, none from what is stored. */
export function describeContainer(model: DocumentedModel, container: DocumentedContainer): Descriptions {
  const { ontology } = model;
  const table: readonly [path: string, mediaType: string, text: () => string | Promise<string>][] = [
    [
      '/context.jsonld',
      'application/ld+json',
      () => JSON.stringify({ '@context': jsonLdContext(ontology) }, undefined, 2) + '\n',
    ],
    ['/openapi.json', 'application/json', () => documents.openApi()],
    ['/ontology/shapes', 'text/turtle', () => shapesText(ontology)],
    [
      '/endpoint/schema.json',
      'application/schema+json',
      async () => (await import('./endpoint/schema.js')).endpointSchemaText,
    ],
  ];
  const documents = documentModel(model, { ...container, served: table.map(([path]) => path) });
  return new Map([
    ...table.map(([path, mediaType, text]) => {
      const make = async (): Promise<Description> => ({ mediaType, body: Buffer.from(await text()) });
      return [path, make] as const;
    }),
    ...documents.places.map((place) => {
      const make = async (): Promise<Description> => ({
        mediaType: 'text/html; charset=utf-8',
        body: Buffer.from(await documents.servedPage(place)),
        styleSource: docsStyleSource,
      });
      return [place === '' ? '/docs' : `/docs/${place}`, make] as const;
    }),
  ]);
}
