import { ENDPOINT_SCHEMA_PATH } from '../fhir/fhir-feature.js';
import { jsonLdContext } from '../model/jsonld-context.js';
import { documentModel, type DocumentedContainer, type DocumentedModel } from './derive-documentation.js';
import type { Description } from '../http/descriptions.js';
import { docsStyleSource } from './docs-pages/docs-style.js';
import { icon, ICON_PATH } from '../http/html/layout.js';
import { formats } from '../rdf/formats.js';
import { writeRdf } from '../rdf/write.js';
import { deriveShapes, shapesText } from '../model/validate/shapes/derive-shapes.js';

type Forms = Description['representations'];

/** Makes the descriptions that a container serves, all from the ontology, none from stored data. */
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
          ...text(formats[format].mediaType, () => writeRdf(deriveShapes(ontology), format, ontology)),
        })),
      ],
    },
  ];
  const documents = documentModel(model, {
    ...container,
    served: [...descriptions.map(({ path }) => path), ENDPOINT_SCHEMA_PATH],
  });
  const pages = documents.places.map((place): Description => ({
    path: place === '' ? '/docs' : `/docs/${place}`,
    representations: one('text/html; charset=utf-8', () => documents.servedPage(place)),
    styleSource: docsStyleSource,
  }));
  return [...descriptions, { path: ICON_PATH, representations: one('image/svg+xml', () => icon) }, ...pages];
}

function text(mediaType: string, write: () => string | Promise<string>): Forms[number] {
  return { mediaType, make: async () => ({ body: await write() }) };
}

const one = (mediaType: string, write: () => string | Promise<string>): Forms => [text(mediaType, write)];

const indented = (value: unknown): string => JSON.stringify(value, undefined, 2) + '\n';
