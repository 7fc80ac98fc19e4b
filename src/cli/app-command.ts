import type { Command } from 'commander';
import { openAddresses, readManifest, type AppManifest } from '../access/accounts/manifest.js';
import { appManifestIri } from '../records/app-graph.js';
import { installApp, removeApp } from '../records/registry.js';
import { dcterms } from '../rdf/vocabulary.js';
import { commandConcerns } from './command-entries.js';
import { withAccounts, textOf } from './open-data.js';
import { CommandError } from './command-errors.js';
import { accountId, parseJson, readText } from './argument-values.js';
import { complain, print, printJson, printRows } from './output.js';
import { readSettings } from './read-settings.js';

interface AddOptions {
  secret?: string;
  publicKey?: string;
  json?: boolean;
}

export function define(command: Command): void {
  command
    .command('add')
    .description('install an app, or change an installed one')
    .argument('<manifest>', 'JSON file with the manifest of the app')
    .option('--secret <text>', 'its consumer secret (default: a new one, or the one it has)')
    .option('--public-key <file>', 'RSA public key in PEM, for an app that signs with RSA')
    .option('--json', 'print its credentials as JSON')
    .action(async (file: string, { secret, publicKey, json }: AddOptions, add: Command) => {
      const manifest = readManifestFile(file);
      const open = openAddresses(manifest);
      if (open.length > 0)
        complain(
          `warning: ${open.join(', ')} of ${manifest.id}: http lets others on the way read it; use https.`,
        );
      commandConcerns({ app: manifest.id });
      const keys = {
        ...(secret === undefined ? {} : { secret }),
        ...(publicKey === undefined ? {} : { publicKey: readText(publicKey) }),
      };
      const settings = { ...readSettings(add.optsWithGlobals()), create: true };
      const kept = await withAccounts(settings, (open) => installApp(open, manifest, keys));
      const installed = { consumer_key: manifest.id, consumer_secret: kept };
      if (json) return printJson(installed);
      await print(`Installed ${manifest.name}.`);
      return print(
        `consumer_key     ${installed.consumer_key}\nconsumer_secret  ${installed.consumer_secret}`,
      );
    });

  command
    .command('list')
    .description('list the installed apps')
    .option('--json', 'print the list as JSON')
    .action(async ({ json }: { json?: boolean }, list: Command) => {
      const apps = await withAccounts(readSettings(list.optsWithGlobals()), ({ primary, base, accounts }) =>
        accounts.listApps().map(({ id, mode }) => {
          const iri = appManifestIri(base, id);
          return { app_id: id, name: textOf(primary.graph(iri), dcterms.title), mode };
        }),
      );
      return printRows(apps, json, ['app', 'mode', 'name'], ({ app_id, mode, name }) => [app_id, mode, name]);
    });

  command
    .command('remove')
    .description('remove an app with all its tokens')
    .argument('<id>', 'the app', accountId)
    .action(async (id: string, _options: object, remove: Command) => {
      await withAccounts(readSettings(remove.optsWithGlobals()), (open) => removeApp(open, id));
      await print(`Removed app ${id}.`);
    });
}

function readManifestFile(file: string): AppManifest {
  const value = parseJson(readText(file), file);
  try {
    return readManifest(value);
  } catch (error) {
    throw new CommandError(`${file} is not an app manifest: ${(error as Error).message}`);
  }
}
