import { jsonLdContext } from './derive/jsonld-context.js';
import type { Description, Descriptions } from './http/descriptions.js';
import type { LoadedOntology } from './ontology/directory.js';

/** What a container says of itself, by path: each made from the ontology, none from what is stored. */
export function describeContainer({ ontology }: LoadedOntology): Descriptions {
  const table: readonly [path: string, mediaType: string, text: () => string | Promise<string>][] = [
    [
      '/context.jsonld',
      'application/ld+json',
      () => JSON.stringify({ '@context': jsonLdContext(ontology) }, undefined, 2) + '\n',
    ],
  ];
  return new Map(
    table.map(([path, mediaType, text]) => [
      path,
      async (): Promise<Description> => ({ mediaType, body: Buffer.from(await text()) }),
    ]),
  );
}
