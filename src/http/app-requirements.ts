import { Memo } from '../disk/memo.js';
import { listedCalls } from '../oauth/listed-calls.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import { appManifestIri, manifestIn } from '../records/app-graph.js';
import type { PrimaryStore } from '../store/primary-store.js';

/** The calls that an app says it needs, or undefined where its manifest says nothing. */
export type CallsOfApp = (app: string) => ReadonlySet<CallModel> | undefined;

/** How many apps are held at a time between two commits. */
const AT_HAND = 1024;

/** Reads each manifest once, and again when anything was committed, by whichever process. */
export function callsOfApps(ontology: Ontology, primary: PrimaryStore): CallsOfApp {
  const known = new Memo<{ readonly calls: ReturnType<CallsOfApp> }>(primary.directory, AT_HAND);
  const read: CallsOfApp = (app) => {
    const manifest = manifestIn(primary.graph(appManifestIri(primary.base, app)) ?? []);
    return typeof manifest === 'object' && manifest !== null ? listedCalls(ontology, manifest) : undefined;
  };
  return (app) => known.get(app, () => ({ calls: read(app) })).calls;
}
