import type { Command } from 'commander';
import { defineDocumented, documented } from './documented.js';
import { write } from '../output.js';

/** `chartgraph ontology openapi`: prints the calls of an ontology as OpenAPI 3.1. */
export function define(command: Command): void {
  defineDocumented(command).action(async () => {
    const documents = await documented(command, []);
    await write(await documents.openApi());
  });
}
