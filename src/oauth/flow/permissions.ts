import { createHash } from 'node:crypto';
import type { AppManifest } from '../../accounts/manifest.js';
import { isAboutData, methodFacts } from '../../ontology/answer-forms.js';
import { isA, type CallModel, type Ontology } from '../../ontology/model.js';
import { sp } from '../../rdf/vocabulary.js';
import { allowedBy, isOwnedByApp, listedCalls, requirementsOf } from '../listed-calls.js';

/** What a token lets an app do with a record, in the words of the ontology. */
export interface Permissions {
  /** What the manifest says the app needs; empty when it says nothing. */
  readonly needs: readonly string[];
  /** What its token for a record can read, in the words of cg:allows. */
  readonly reads: readonly string[];
  /** What it can write, in the same words, one for each call. */
  readonly writes: readonly string[];
  /** Whether `reads` is everything that a record holds. */
  readonly readsAll: boolean;
  /** Changes with any of these. */
  readonly wording: string;
}

const verbs: Readonly<Record<string, { readonly verb: string }>> = methodFacts;

/** What an app may do with a record when it is allowed in: the record's calls of the ontology. */
export function permissionsOf(ontology: Ontology, manifest: AppManifest): Permissions {
  const label = (iri: string): string | undefined => ontology.classes.get(iri)?.label;
  const inWords = ({ method, target, label: name, allows }: CallModel): string => {
    if (method !== 'GET') return allows ?? name;
    const model = ontology.classes.get(target);
    return model?.allows ?? `See ${model?.plural ?? name}`;
  };
  const own = ontology.calls.filter((call) => call.scope !== 'container' && isOwnedByApp(call));
  // What other apps keep in the record is given as all else; its own an app has without asking.
  const calls = ontology.calls.filter(
    (call) => call.scope === 'record' && (isAboutData(call) || (isOwnedByApp(call) && call.method === 'GET')),
  );
  const listed = listedCalls(ontology, allowedBy(manifest));
  const allowed = listed ? calls.filter((call) => listed.has(call)) : calls;
  const labels = (isRead: boolean): string[] => {
    const chosen = allowed.filter(({ method }) => (method === 'GET') === isRead);
    return [...new Set(chosen.map(inWords))].sort();
  };
  const needs = [...(requirementsOf(manifest) ?? [])].flatMap(([iri, methods]) => {
    const name = label(iri);
    // What lies outside of records is open or of the app itself, and not for the person to give.
    const inRecord = isA(ontology, iri, sp.Statement) || calls.some(({ target }) => target === iri);
    if (name === undefined || !inRecord) return [];
    return methods.map((method) => {
      const call = [...calls, ...own].find((each) => each.method === method && each.target === iri);
      if (method === 'GET') return ontology.classes.get(iri)?.allows ?? `See ${name}`;
      return call ? inWords(call) : `${name}: ${verbs[method]?.verb ?? method}`;
    });
  });
  const reads = labels(true);
  const writes = [...labels(false), ...new Set(own.filter(({ method }) => method === 'PUT').map(inWords))];
  const wording = createHash('sha256')
    .update(JSON.stringify([needs, reads, writes]))
    .digest('base64url');
  return { needs: [...new Set(needs)].sort(), reads, readsAll: listed === undefined, writes, wording };
}
