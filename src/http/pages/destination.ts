import type { AppManifest } from '../../accounts/manifest.js';
import { originOrScheme } from '../../oauth/flow/callback.js';
import { storedManifest } from '../../records/app-manifests.js';
import type { Flow } from '../../oauth/flow/flow.js';
import { PathTemplate } from '../../ontology/path-template.js';
import type { Site } from '../app-parts.js';
import type { LeadsTo } from './page-answer.js';

/** Where a sign-in leads: the name of the app that waits behind it, and the origins it may redirect to. */
export interface Destination {
  readonly app: string | undefined;
  readonly leadsTo: LeadsTo;
}

/** Where a person chooses a record to open an app with. */
export const LAUNCH = PathTemplate.of('/apps/{app_id}/launch');

/** @param path a local path, as localPath gives it */
export async function destinationOf(
  { base, basePath }: Site,
  { directory, grants, store }: Flow,
  path: string,
): Promise<Destination> {
  const url = new URL(path, base);
  const below = url.pathname.slice(basePath.length);
  const launched = LAUNCH.match(below)?.['app_id'];
  const requestToken = below === '/oauth/authorize' ? (url.searchParams.get('oauth_token') ?? '') : '';
  const appId =
    launched === undefined
      ? directory.read((tx) => grants.requestCredentials(tx, requestToken)?.app)
      : decoded(launched);
  const manifest = appId === undefined ? undefined : await storedManifest(store, appId);
  return { app: manifest?.name, leadsTo: manifest ? leadsTo(manifest) : [] };
}

/** The origins of the addresses of an app that the container sends browsers to. */
export function leadsTo({ index, oauth_callback: callback }: AppManifest): LeadsTo {
  const places = [index, callback].map((url) => (url === undefined ? '' : originOrScheme(url)));
  return [...new Set(places)].filter((place) => place !== '');
}

/** A segment whose percent-encoding is broken names nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
