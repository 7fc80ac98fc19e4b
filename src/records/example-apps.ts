import { isDeepStrictEqual } from 'node:util';
import type { AppManifest } from '../access/accounts/manifest.js';
import type { DataDirectory, WriteTx } from '../store/disk/data-directory.js';

const ADDRESSES = ['index', 'icon', 'oauth_callback'] as const;

/** Returns the manifest of an example app that is served on a port. */
export function servedAt(port: number, manifest: AppManifest): AppManifest {
  const moved = ADDRESSES.flatMap((key) => {
    const address = manifest[key];
    if (address === undefined) return [];
    const url = new URL(address);
    url.port = String(port);
    return [[key, url.href]];
  });
  return { ...manifest, ...Object.fromEntries(moved) } as AppManifest;
}

/** Whether an installed app is the example as it is shipped, except for the port. */
export function isExample(installed: AppManifest, example: AppManifest): boolean {
  return installed.id === example.id && isDeepStrictEqual(servedAt(1, installed), servedAt(1, example));
}

/**
 * Returns whether an app is an example that nothing serves here: its addresses lead nowhere.
 * @param unservedApps those that are served by no process of this container, whatever records there are
 */
export function unservedTest({
  directory,
  settings: { unservedApps },
}: {
  readonly directory: DataDirectory;
  readonly settings: { readonly unservedApps: readonly AppManifest[] };
}): (installed: AppManifest) => boolean {
  const unserved = [...unservedApps, ...unservedBeside(directory)];
  return (installed) => unserved.some((example) => isExample(installed, example));
}

const UNSERVED = 'unservedExamples';

/** Notes for all processes which examples are not served beside the records that there are now. */
export const noteUnserved = (tx: WriteTx, manifests: readonly AppManifest[]): void => {
  tx.put('meta', UNSERVED, manifests);
};

const unservedBeside = (directory: DataDirectory): readonly AppManifest[] =>
  directory.read((tx) => (tx.get('meta', UNSERVED) as readonly AppManifest[] | undefined) ?? []);
