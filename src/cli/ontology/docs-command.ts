import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { jsonLdContext } from '../../derive/jsonld-context.js';
import type { DerivedDocumentation } from '../../document-model.js';
import { fileOf, writtenBeside } from '../../pages/docs/docs-links.js';
import { defineDocumented, documented } from './documented.js';
import { count, print } from '../output.js';
import { startProgress } from '../progress.js';

/** What stands beside the pages, by the path where a container serves it. */
const beside: Readonly<Record<string, (documents: DerivedDocumentation) => string | Promise<string>>> = {
  '/openapi.json': (documents) => documents.openApi(),
  '/context.jsonld': ({ documentation }) =>
    JSON.stringify({ '@context': jsonLdContext(documentation.ontology) }, undefined, 2) + '\n',
};

/** `chartgraph ontology docs`: writes the documentation as files that need no server. */
export function define(command: Command): void {
  defineDocumented(command)
    .argument('<dir>', 'where the pages are written; it is made where there is none')
    .action(async (dir: string) => {
      const documents = await documented(command, Object.keys(beside));
      const progress = await startProgress('Writing', documents.places.length);
      try {
        for (const [done, place] of documents.places.entries()) {
          progress.at(done);
          await writeTo(join(dir, fileOf(place)), await documents.filePage(place));
        }
        for (const [path, make] of Object.entries(beside)) {
          await writeTo(join(dir, writtenBeside[path] ?? path), await make(documents));
        }
      } finally {
        progress.stop();
      }
      await print(`Wrote ${count(documents.places.length, 'page')} to ${dir}; begin with ${fileOf('')}.`);
    });
}

async function writeTo(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
