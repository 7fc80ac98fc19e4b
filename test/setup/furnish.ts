import { inject } from 'vitest';
import { openAccounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { readManifest } from '../../src/access/accounts/manifest.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { appGraph } from '../../src/records/app-graph.js';
import { packageVersion } from '../../src/cli/package.js';
import type { CheckedModel } from '../../src/model/read-model.js';
import { checkedModels } from '../../src/store/disk/checked-model.js';
import { readModel } from '../../src/model/read-model.js';
import { loadFile } from '../../src/records/load-file.js';
import { userGraph } from '../../src/records/user-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { base, ontology } from '../records/support.js';
import { containerSettings } from './container-settings.js';

/** An access token with its app, as `chartgraph token issue` prints them. */
export interface IssuedToken {
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly oauth_token: string;
  readonly oauth_token_secret: string;
}

/** What a data directory is given. */
export interface Furnishing {
  /** RDF files of patients. */
  readonly files?: readonly string[];
  /** An app's manifest; the app gets a secret. */
  readonly app: { readonly id: string };
  /** The records that a person called `u` has. */
  readonly records: readonly string[];
}

let shipped: Promise<CheckedModel> | undefined;
/** The shipped ontology and queries, which the set-up of the whole run has served, and so checked. */
const shippedModel = (): Promise<CheckedModel> =>
  (shipped ??= readModel(containerSettings(''), {
    last: async () => {
      const last = await checkedModels(inject('seeded'), new Uint8Array(), packageVersion()).last();
      return last && { ...last, isOf: () => true };
    },
  }));

/**
 * Does what `load`, `app add`, `user add` and `token issue` do, without starting a process for each: for tests of
 * something else. @returns a token of the app for each of the person's records
 */
export async function furnish(
  data: string,
  { files = [], app, records }: Furnishing,
): Promise<IssuedToken[]> {
  const directory = await openDataDirectory(data, { create: true });
  try {
    const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
    const primary = openPrimaryStore(directory, base);
    for (const path of files) {
      const { status, errors } = await loadFile({ path, primary, ontology, base });
      if (status !== 'loaded') throw new Error(`${path}: ${JSON.stringify(errors)}`);
    }
    const manifest = readManifest(app);
    const user = { id: 'u', givenName: 'G', familyName: 'F', role: 'person' } as const;
    await primary.write({ replace: [appGraph(manifest, base), userGraph(user, base)] }, (tx) => {
      accounts.putApp(tx, manifest);
      accounts.putUser(tx, { ...user, records });
    });
    // A server on it starts as one does that ran there before.
    await checkedModels(data, directory.accountKey, packageVersion()).add(await shippedModel());
    const consumer_secret = directory.read((tx) => accounts.appCredentials(tx, app.id)?.secret ?? '');
    const tokens: IssuedToken[] = [];
    for (const record of records) {
      const { token, secret } = await accounts.issueToken({ app: app.id, user: user.id, record });
      tokens.push({
        consumer_key: app.id,
        consumer_secret,
        oauth_token: token,
        oauth_token_secret: secret,
      });
    }
    return tokens;
  } finally {
    await directory.close();
  }
}
