import { listedCalls } from '../oauth/listed-calls.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import { appManifestIri, manifestIn } from '../records/app-graph.js';
import type { PrimaryStore } from '../store/primary-store.js';

/** The calls that an app says it needs, or undefined where its manifest says nothing. */
export type CallsOfApp = (app: string) => ReadonlySet<CallModel> | undefined;

/** Reads each manifest once, and again when the revision of its graph has changed, by whichever process. */
export function callsOfApps(ontology: Ontology, primary: PrimaryStore): CallsOfApp {
  // As many as there are apps: only a signature that was proved leads here.
  const known = new Map<string, { readonly revision: number; readonly calls: ReturnType<CallsOfApp> }>();
  const read: CallsOfApp = (app) => {
    const manifest = manifestIn(primary.graph(appManifestIri(primary.base, app)) ?? []);
    return typeof manifest === 'object' && manifest !== null ? listedCalls(ontology, manifest) : undefined;
  };
  return (app) => {
    const revision = primary.revision(`/apps/${app}/manifest`);
    const found = known.get(app);
    if (found?.revision === revision) return found.calls;
    const calls = read(app);
    known.set(app, { revision, calls });
    return calls;
  };
}
