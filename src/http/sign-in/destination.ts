import type { AppManifest } from '../../access/accounts/manifest.js';
import { originOrScheme, type Flow } from '../../access/oauth/flow.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import type { Site } from '../app-parts.js';
import type { LeadsTo } from './page-answer.js';

/** The app that a sign-in leads to, and the origins to which it may redirect. */
export interface Destination {
  readonly app: string | undefined;
  readonly leadsTo: LeadsTo;
}

/** The page where a person chooses a record to open an app with. */
export const LAUNCH = PathTemplate.of('/apps/{app_id}/launch');

/** The longest path to which people come back, in characters: as long as what an app asks may be. */
export const LONGEST_RETURN = 5000;

/** Where an app sends a person by SMART App Launch. */
export const SMART_AUTHORIZE = '/oauth2/authorize';

/** @param path from localPath */
export async function destinationOf(
  { base, basePath }: Site,
  { directory, grants, manifestOf }: Flow,
  path: string,
): Promise<Destination> {
  const url = new URL(path, base);
  const below = url.pathname.slice(basePath.length);
  const launched = LAUNCH.match(below)?.['app_id'];
  const requestToken = below === '/oauth/authorize' ? (url.searchParams.get('oauth_token') ?? '') : '';
  const asking = below === SMART_AUTHORIZE ? (url.searchParams.get('client_id') ?? undefined) : undefined;
  const appId =
    launched === undefined
      ? (asking ?? directory.read((tx) => grants.requestCredentials(tx, requestToken)?.app))
      : decoded(launched);
  const manifest = appId === undefined ? undefined : await manifestOf(appId);
  return { app: manifest?.name, leadsTo: manifest ? leadsTo(manifest) : [] };
}

/** Returns the origins to which the container redirects for an app. */
export function leadsTo(manifest: AppManifest): LeadsTo {
  const { index, oauth_callback: callback, smart_launch_url: start, redirect_uris: others = [] } = manifest;
  const places = [index, callback, start, ...others].map((url) =>
    url === undefined ? '' : originOrScheme(url),
  );
  return [...new Set(places)].filter((place) => place !== '');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** Returns where to go after sign-in: a path of this container. @param wanted from the address or form */
export function localPath(wanted: string | undefined, base: string): string {
  const { origin, pathname } = new URL(base);
  const basePath = pathname.replace(/\/$/, '');
  const start = `${basePath}/`;
  // Browsers read `\` as `/` and skip tabs and line feeds, so `/\host` and `/<tab>/host` would lead to another
  // host.
  if (
    wanted === undefined ||
    wanted.length > LONGEST_RETURN ||
    !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(wanted)
  )
    return start;
  const url = new URL(wanted, origin);
  const isOurs = url.origin === origin && (url.pathname === basePath || url.pathname.startsWith(start));
  // Normalising can make a path begin with two slashes again.
  return isOurs && !url.pathname.startsWith('//') ? url.pathname + url.search : start;
}
