import { parseUrl } from '../rdf/parse-url.js';
import { Memo } from '../disk/memo.js';
import { manifestIn } from '../records/app-graph.js';
import type { PrimaryStore } from '../store/primary-store.js';

/** Where the scripts of installed apps come from. */
export interface AppOrigins {
  /** Whether an app says that it lives at an origin. */
  isOf(app: string, origin: string): boolean;
  /** Whether any app does. */
  isOfAny(origin: string): boolean;
}

/** Reads all manifests once, and again when anything was committed, by whichever process. */
export function appOrigins(primary: PrimaryStore): AppOrigins {
  const known = new Memo<ReadonlyMap<string, ReadonlySet<string>>>(primary.directory, 1);
  const all = (): ReadonlyMap<string, ReadonlySet<string>> => known.get('', () => readAll(primary));
  return {
    isOf: (app, origin) => all().get(app)?.has(origin) ?? false,
    isOfAny: (origin) => [...all().values()].some((origins) => origins.has(origin)),
  };
}

function readAll(primary: PrimaryStore): Map<string, Set<string>> {
  const origins = new Map<string, Set<string>>();
  for (const name of primary.names(`${primary.base}/apps/`)) {
    const manifest = manifestIn(primary.graph(name) ?? []) as Partial<Record<string, unknown>> | undefined;
    if (typeof manifest?.['id'] === 'string') origins.set(manifest['id'], originsOf(manifest));
  }
  return origins;
}

/** An app lives where it starts and where people come back to it. */
function originsOf({ index, oauth_callback }: Partial<Record<string, unknown>>): Set<string> {
  const addresses = [index, oauth_callback].filter((each) => typeof each === 'string');
  return new Set(addresses.flatMap((each) => (/^https?:/i.test(each) ? (parseUrl(each)?.origin ?? []) : [])));
}
