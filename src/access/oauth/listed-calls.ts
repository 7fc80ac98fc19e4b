import { createHash } from 'node:crypto';
import type { Allowance, Requirements } from '../accounts/allowances.js';
import { factsOf, isAboutData, methodFacts } from '../../model/ontology/answer-forms.js';
import { isA, type CallModel, type Ontology } from '../../model/ontology/model.js';
import { sp } from '../../rdf/vocabulary.js';
import type { AppManifest } from '../accounts/manifest.js';

const DEFAULT_METHODS: readonly string[] = ['GET'];

export function requirementsOf(manifest: unknown): Requirements | undefined {
  const { requires } = Object(manifest) as {
    requires?: Readonly<Record<string, { readonly methods?: readonly string[] }>>;
  };
  if (requires === undefined) return undefined;
  return new Map(Object.entries(requires).map(([iri, { methods = DEFAULT_METHODS }]) => [iri, methods]));
}

/** Whether an app must list a call: health data, except services, which check for themselves. */
export function isPatientData({ classes }: Pick<Ontology, 'classes'>, call: CallModel): boolean {
  if (factsOf(call).service !== undefined) return false;
  return call.scope === 'record' || isA({ classes }, call.target, sp.Statement);
}

export function isOwnedByApp(call: CallModel): boolean {
  return factsOf(call).ownedByApp;
}

/** Returns the class that an app must be allowed to make a call: that of its target, or the one in whose stead that is kept. */
export function classAllowing({ classes }: Pick<Ontology, 'classes'>, { target }: CallModel): string {
  return classes.get(target)?.insteadOf ?? target;
}

/** Returns what an app is allowed once a person was shown its manifest. */
export function allowedBy(manifest: unknown): Allowance {
  return requirementsOf(manifest) ?? 'everything';
}

/** Returns the calls that an allowance lists, by class or superclass and method; undefined for `everything`. */
export function listedCalls(
  ontology: Pick<Ontology, 'classes' | 'calls'>,
  allowance: Allowance,
): ReadonlySet<CallModel> | undefined {
  if (allowance === 'everything') return undefined;
  const isListed = (call: CallModel): boolean =>
    [...allowance].some(
      ([iri, methods]) => methods.includes(call.method) && isA(ontology, classAllowing(ontology, call), iri),
    );
  return new Set(ontology.calls.filter(isListed));
}

const verbs: Readonly<Record<string, { readonly verb: string }>> = methodFacts;

/**
 * Describes what an app may do with a record, in the ontology's words.
 * @param covers whether it may make a call, beside what the manifest says
 * @returns `readsAll`, whether `reads` has all statements of the record; and a `wording` digest that changes with any of these, and
 * with what the manifest asks for in its own terms
 */
export function permissionsOf(
  ontology: Ontology,
  manifest: AppManifest,
  covers: (call: CallModel) => boolean = () => true,
) {
  const label = (iri: string): string | undefined => ontology.classes.get(iri)?.label;
  const inWords = (call: CallModel): string => {
    const { method, label: name, allows } = call;
    if (method !== 'GET') return allows ?? name;
    const model = ontology.classes.get(classAllowing(ontology, call));
    return model?.allows ?? `See ${model?.plural ?? name}`;
  };
  const own = ontology.calls.filter((call) => call.scope !== 'container' && isOwnedByApp(call));
  // Other apps' data in the record needs permission like everything else; the app's own does not.
  const calls = ontology.calls.filter(
    (call) => call.scope === 'record' && (isAboutData(call) || (isOwnedByApp(call) && call.method === 'GET')),
  );
  const listed = listedCalls(ontology, allowedBy(manifest));
  const allowed = calls.filter((call) => (listed?.has(call) ?? true) && covers(call));
  const labels = (isRead: boolean): string[] => {
    const chosen = allowed.filter(({ method }) => (method === 'GET') === isRead);
    return [...new Set(chosen.map(inWords))].sort();
  };
  const needs = [...(requirementsOf(manifest) ?? [])].flatMap(([iri, methods]) => {
    const name = label(iri);
    // Data outside of records is not the person's to give.
    const inRecord = isA(ontology, iri, sp.Statement) || calls.some(({ target }) => target === iri);
    if (name === undefined || !inRecord) return [];
    return methods.map((method) => {
      const call = [...calls, ...own].find((each) => each.method === method && each.target === iri);
      if (method === 'GET') return ontology.classes.get(iri)?.allows ?? `See ${name}`;
      return call ? inWords(call) : `${name}: ${verbs[method]?.verb ?? method}`;
    });
  });
  const reads = labels(true);
  const writes = [
    ...labels(false),
    ...new Set(own.filter((call) => call.method === 'PUT' && covers(call)).map(inWords)),
  ];
  const wording = createHash('sha256')
    .update(JSON.stringify([needs, reads, writes]))
    .digest('base64url');
  const isOfStatements = (call: CallModel): boolean =>
    call.method === 'GET' && isA(ontology, classAllowing(ontology, call), sp.Statement);
  const readsAll = calls.filter(isOfStatements).every((call) => allowed.includes(call));
  return { reads, readsAll, writes, wording };
}
