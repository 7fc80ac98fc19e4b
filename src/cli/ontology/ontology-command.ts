import type { Command } from 'commander';
import { addCommands } from '../commands.js';

/** `chartgraph ontology`: tools for authors of the ontology. */
export function define(command: Command): void {
  addCommands(command, [
    [
      'diff',
      'compare two ontologies: what changed, what it breaks, which version it asks for',
      () => import('./diff-command.js'),
    ],
    [
      'try',
      'answer every GET call with another ontology, and show what would change',
      () => import('./try-command.js'),
    ],
    [
      'coverage',
      'name the terms that nothing uses and the queries that no test calls',
      () => import('./coverage-command.js'),
    ],
    [
      'tests',
      'write a suite of tests for every call, derived from ontology and seed',
      () => import('./tests-command.js'),
    ],
    ['client', "write the TypeScript module of the ontology's client", () => import('./client-command.js')],
    ['docs', 'write the documentation as web pages that need no server', () => import('./docs-command.js')],
    ['openapi', 'print the calls as OpenAPI 3.1', () => import('./openapi-command.js')],
  ]);
}
