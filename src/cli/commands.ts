import type { Command } from 'commander';

/** A command by name; its module defines arguments, options and action, and is loaded when needed. */
export type CommandEntry = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ define(command: Command): void }>,
];

export function addCommands(command: Command, entries: readonly CommandEntry[]): void {
  for (const [name, summary] of entries) command.command(name).description(summary);
  command.hook('preSubcommand', async (_command, subcommand) => {
    const [, , load] = entries.find(([name]) => name === subcommand.name()) ?? [];
    (await load?.())?.define(subcommand);
  });
}

/** Loaded one by one, so that `--help` and `sign` stay quick. */
export const commands: readonly CommandEntry[] = [
  ['serve', 'run the container', () => import('./serve-command.js')],
  ['load', 'load RDF files of patients into records', () => import('./load-command.js')],
  ['record', 'list and remove records', () => import('./record-command.js')],
  ['app', 'install, list and remove apps', () => import('./app-command.js')],
  ['user', 'add, change, list and remove people and set passwords', () => import('./user-command.js')],
  ['token', 'issue, list and revoke access tokens', () => import('./token-command.js')],
  [
    'subscription',
    'list the webhooks of apps, and what could not be delivered',
    () => import('./subscription-command.js'),
  ],
  ['sign', 'print a signed Authorization header for curl', () => import('./sign-command.js')],
  ['query', 'run SPARQL over the data directory, read only', () => import('./query-command.js')],
  [
    'analyses',
    'list analyses, and answer them over the data directory',
    () => import('./analyses-command.js'),
  ],
  ['mirror', 'feed another SPARQL server with what analysts see', () => import('./mirror-command.js')],
  ['export', 'print everything, or one record, as RDF', () => import('./export-command.js')],
  ['backup', 'copy the data directory to one file while it is in use', () => import('./backup-command.js')],
  ['restore', 'put a backup back, all of it or nothing', () => import('./restore-command.js')],
  [
    'migrate',
    'copy a container from a data directory into a PostgreSQL database, or back',
    () => import('./migrate-command.js'),
  ],
  ['audit', 'read the access log, and check that nobody changed it', () => import('./audit-command.js')],
  ['key', 'change the keys that seal the data directory', () => import('./key-command.js')],
  [
    'validate',
    'check the ontology, the queries, the seed or given data',
    () => import('./validate/validate-command.js'),
  ],
  ['ontology', 'compare, try and document an ontology', () => import('./ontology/ontology-command.js')],
  ['endpoint', 'check FHIR Endpoint resources', () => import('./endpoint-command.js')],
];
