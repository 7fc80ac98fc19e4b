import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { jsonLdContext } from '../../model/jsonld-context.js';
import type { DerivedDocumentation } from '../../authoring/derive-documentation.js';
import { fileOf, writtenBeside } from '../../authoring/docs-pages/docs-source.js';
import { defineDocumented, documented } from './openapi-command.js';
import { count, print, inProgress } from '../output.js';

/** Files written with the pages, by the path where a container serves them. */
const beside: Readonly<Record<string, (documents: DerivedDocumentation) => string | Promise<string>>> = {
  '/openapi.json': (documents) => documents.openApi(),
  '/context.jsonld': ({ documentation }) =>
    JSON.stringify({ '@context': jsonLdContext(documentation.ontology) }, undefined, 2) + '\n',
};

/** `chartgraph ontology docs`: writes the documentation as static files. */
export function define(command: Command): void {
  defineDocumented(command)
    .argument('<dir>', 'folder for the pages; created if it does not exist')
    .action(async (dir: string) => {
      const documents = await documented(command, Object.keys(beside));
      for await (const place of inProgress('Writing', documents.places))
        await writeTo(join(dir, fileOf(place)), await documents.filePage(place));
      for (const [path, make] of Object.entries(beside))
        await writeTo(join(dir, writtenBeside[path] ?? path), await make(documents));
      await print(`Wrote ${count(documents.places.length, 'page')} to ${dir}; begin with ${fileOf('')}.`);
    });
}

async function writeTo(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
