import { isDeepStrictEqual } from 'node:util';
import type { AppManifest } from '../access/accounts/manifest.js';

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

/** Whether an app is an example that nothing serves here: its addresses lead nowhere. */
export function isUnserved(installed: AppManifest, unserved: readonly AppManifest[]): boolean {
  return unserved.some((example) => isExample(installed, example));
}
