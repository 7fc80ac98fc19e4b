import type { Command } from 'commander';

/** What the module of a command exports: it gives the bare command its arguments, options and action. */
export interface CommandModule {
  define(command: Command): void;
}

/** A command by its name. */
export interface CommandEntry {
  name: string;
  summary: string;
  load(): Promise<CommandModule>;
}

/** Gives a command its subcommands, each of which is loaded when it is called. */
export function addCommands(command: Command, entries: readonly CommandEntry[]): void {
  for (const { name, summary } of entries) command.command(name).description(summary);
  command.hook('preSubcommand', async (_command, subcommand) => {
    const entry = entries.find(({ name }) => name === subcommand.name());
    if (entry !== undefined) (await entry.load()).define(subcommand);
  });
}

/** Every command; its module is loaded only when it is called, so that `--help` and `sign` stay quick. */
export const commands: readonly CommandEntry[] = [
  { name: 'serve', summary: 'run the container', load: () => import('./serve-command.js') },
  {
    name: 'load',
    summary: 'load RDF files of patients into records',
    load: () => import('./load-command.js'),
  },
  { name: 'record', summary: 'list and remove records', load: () => import('./record-command.js') },
  { name: 'app', summary: 'install, list and remove apps', load: () => import('./app-command.js') },
  {
    name: 'user',
    summary: 'add, list and remove people and set passwords',
    load: () => import('./user-command.js'),
  },
  {
    name: 'token',
    summary: 'issue, list and revoke access tokens',
    load: () => import('./token-command.js'),
  },
  {
    name: 'subscription',
    summary: 'list the webhooks of apps, and what could not be delivered',
    load: () => import('./subscription-command.js'),
  },
  {
    name: 'sign',
    summary: 'print a signed Authorization header for curl',
    load: () => import('./sign-command.js'),
  },
  {
    name: 'query',
    summary: 'run SPARQL over the data directory, read only',
    load: () => import('./query-command.js'),
  },
  {
    name: 'analyses',
    summary: 'list analyses, and answer them over the data directory',
    load: () => import('./analyses-command.js'),
  },
  {
    name: 'mirror',
    summary: 'feed another SPARQL server with what analysts see',
    load: () => import('./mirror-command.js'),
  },
  {
    name: 'export',
    summary: 'print everything, or one record, as RDF',
    load: () => import('./export-command.js'),
  },
  {
    name: 'backup',
    summary: 'copy the data directory to one file while it is in use',
    load: () => import('./backup-command.js'),
  },
  {
    name: 'restore',
    summary: 'put a backup back, all of it or nothing',
    load: () => import('./restore-command.js'),
  },
  {
    name: 'migrate',
    summary: 'copy a container from a data directory into a PostgreSQL database, or back',
    load: () => import('./migrate-command.js'),
  },
  {
    name: 'audit',
    summary: 'read the access log, and check that nobody changed it',
    load: () => import('./audit-command.js'),
  },
  {
    name: 'key',
    summary: 'change the keys that seal the data directory',
    load: () => import('./key-command.js'),
  },
  {
    name: 'validate',
    summary: 'check the ontology, the queries, the seed or given data',
    load: () => import('./validate/validate-command.js'),
  },
  {
    name: 'ontology',
    summary: 'compare, try and document an ontology',
    load: () => import('./ontology/ontology-command.js'),
  },
  {
    name: 'synth',
    summary: 'invent patients for tests and benchmarks',
    load: () => import('./synth-command.js'),
  },
  {
    name: 'endpoint',
    summary: 'check FHIR Endpoint resources',
    load: () => import('./endpoint-command.js'),
  },
];
