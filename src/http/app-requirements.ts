import { allowanceOf, type Allowance } from '../accounts/allowances.js';
import { Memo } from '../disk/memo.js';
import { allowedBy, listedCalls } from '../oauth/listed-calls.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import { appManifestIri, manifestIn } from '../records/app-graph.js';
import type { PrimaryStore } from '../store/primary-store.js';

/**
 * The calls that an app is held to: those that its manifest lists and, where `allowed` is the digest that its token has,
 * that were allowed when the token was given. Undefined where neither says anything.
 */
export type CallsOfApp = (app: string, allowed?: string) => ReadonlySet<CallModel> | undefined;

/** How many apps, with what they were allowed, are held at a time between two commits. */
const AT_HAND = 1024;

/** Reads each manifest once, and again when anything was committed, by whichever process. */
export function callsOfApps(ontology: Ontology, primary: PrimaryStore): CallsOfApp {
  const known = new Memo<{ readonly calls: ReturnType<CallsOfApp> }>(primary.directory, AT_HAND);
  const listedIn = (app: string): Allowance =>
    allowedBy(manifestIn(primary.graph(appManifestIri(primary.base, app)) ?? []));
  const read: CallsOfApp = (app, allowed) => {
    if (allowed === undefined) return listedCalls(ontology, listedIn(app));
    const listed = calls(app);
    const given = listedCalls(
      ontology,
      primary.directory.read((tx) => allowanceOf(tx, app, allowed)),
    );
    return listed && given ? new Set([...listed].filter((call) => given.has(call))) : (listed ?? given);
  };
  // No id has a space in it.
  const calls: CallsOfApp = (app, allowed) =>
    known.get(`${app} ${allowed ?? ''}`, () => ({ calls: read(app, allowed) })).calls;
  return calls;
}
