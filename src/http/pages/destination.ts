import type { AppManifest } from '../../accounts/manifest.js';
import { originOrScheme } from '../../oauth/flow/callback.js';
import { storedManifest } from '../../records/app-manifests.js';
import type { ContainerContext } from '../container-context.js';
import type { LeadsTo } from './visitor.js';

/** Where a sign-in leads: the name of the app that waits behind it, and the origins it may redirect to. */
export interface Destination {
  readonly app: string | undefined;
  readonly leadsTo: LeadsTo;
}

/** @param path a local path, as localPath gives it */
export async function destinationOf(container: ContainerContext, path: string): Promise<Destination> {
  const { flow, base, basePath, store } = container;
  const url = new URL(path, base);
  const below = url.pathname.slice(basePath.length);
  const launched = /^\/apps\/([^/]+)\/launch\/?$/.exec(below)?.[1];
  const requestToken = below === '/oauth/authorize' ? (url.searchParams.get('oauth_token') ?? '') : '';
  const appId =
    launched === undefined
      ? flow.directory.read((tx) => flow.grants.requestCredentials(tx, requestToken)?.app)
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
