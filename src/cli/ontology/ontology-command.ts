import type { Command } from 'commander';
import { addCommands, type CommandEntry } from '../commands.js';

/** Every command of the group; its module is loaded only when it is called. */
const entries: readonly CommandEntry[] = [
  {
    name: 'diff',
    summary: 'compare two ontologies: what changed, what it breaks, which version it asks for',
    load: () => import('./diff-command.js'),
  },
  {
    name: 'try',
    summary: 'answer every GET call with another ontology, and show what would change',
    load: () => import('./try-command.js'),
  },
  {
    name: 'coverage',
    summary: 'name the terms that nothing uses and the queries that no test calls',
    load: () => import('./coverage-command.js'),
  },
  {
    name: 'tests',
    summary: 'write a suite of tests for every call, derived from ontology and seed',
    load: () => import('./tests-command.js'),
  },
  {
    name: 'client',
    summary: "write the TypeScript module of the ontology's client",
    load: () => import('./client-command.js'),
  },
  {
    name: 'docs',
    summary: 'write the documentation as web pages that need no server',
    load: () => import('./docs-command.js'),
  },
  {
    name: 'openapi',
    summary: 'print the calls as OpenAPI 3.1',
    load: () => import('./openapi-command.js'),
  },
];

/** `chartgraph ontology`: the workbench of those who write the ontology. */
export function define(command: Command): void {
  addCommands(command, entries);
}
