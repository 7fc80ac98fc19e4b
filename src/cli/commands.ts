import type { Command } from 'commander';
import { keepRepeated } from './read-settings.js';

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
    keepRepeated(subcommand);
  });
}

/** Loaded one by one, so that `--help` and `sign` stay quick. */
export const commands: readonly CommandEntry[] = [
  ['serve', 'run the container', () => import('./serve-command.js')],
  ['load', 'load RDF files of patients into records', () => import('./load-command.js')],
  ['record', 'list and remove records, and close parts of them', () => import('./record-command.js')],
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

export const START = 'Start here:';

/** Who needs which command, each with an example. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [START]: {
    serve: 'serve --data /var/lib/chartgraph --no-seed',
    user: 'user add kim --given-name Kim --family-name Ode --role clinician',
    load: 'load patients/ --strict',
  },
  'For operators:': {
    record: 'record remove 1000001 --purge',
    audit: 'audit --record 1000001',
    backup: 'backup /backups/today',
    restore: 'restore /backups/today',
    key: 'key rotate --keep-old old-secret.key',
    export: 'export --record 1000001 --format turtle',
    migrate: 'migrate --from ./data --to postgres://chartgraph@db.example.org/chartgraph',
  },
  'For authors of apps:': {
    app: 'app add manifest.json',
    token: 'token issue --app demo-ui@apps.example.org --user clinician --record 1000001',
    sign: 'sign GET http://localhost:7000/records/1000001/problems/ --token token.json',
    subscription: 'subscription list',
    endpoint: 'endpoint validate endpoint.json',
  },
  'For analysts:': {
    query: 'query question.rq --format tsv',
    analyses: 'analyses list',
    mirror: 'mirror --to http://localhost:3030/ds/sparql --update http://localhost:3030/ds/update',
  },
  'For authors of ontologies:': {
    validate: 'validate --ontology ontology --queries queries',
    ontology: 'ontology diff old/ontology new/ontology',
  },
};
