import type { Allowance, Requirements } from '../accounts/allowances.js';
import { factsOf } from '../ontology/answer-forms.js';
import { isA, type CallModel, type Ontology } from '../ontology/model.js';
import { sp } from '../rdf/vocabulary.js';

/** What a manifest says that its app needs: methods by the IRI of a class. */
type Required = Readonly<Record<string, { readonly methods?: readonly string[] }>>;

/** What is needed of a class where its entry names no methods. */
const DEFAULT_METHODS: readonly string[] = ['GET'];

/** The `requires` of a manifest, the methods of each entry spelled out; undefined where it says nothing. */
export function requirementsOf(manifest: unknown): Requirements | undefined {
  const { requires } = Object(manifest) as { requires?: Required };
  if (requires === undefined) return undefined;
  return new Map(Object.entries(requires).map(([iri, { methods = DEFAULT_METHODS }]) => [iri, methods]));
}

/**
 * Whether a call is about somebody's health, so that an app has to say that it needs it. A service is not: it looks
 * itself at what the app may read.
 */
export function isPatientData({ classes }: Pick<Ontology, 'classes'>, call: CallModel): boolean {
  if (factsOf(call).service !== undefined) return false;
  return call.scope === 'record' || isA({ classes }, call.target, sp.Statement);
}

/** Whether a call works on what an app keeps for itself. */
export function isOwnedByApp(call: CallModel): boolean {
  return factsOf(call).ownedByApp;
}

/** What whoever is shown a manifest allows its app. */
export function allowedBy(manifest: unknown): Allowance {
  return requirementsOf(manifest) ?? 'everything';
}

/**
 * The calls that an allowance lists by their class, or by one above it, and their method.
 * @returns undefined for everything: then an app may do what its tokens allow
 */
export function listedCalls(
  ontology: Pick<Ontology, 'classes' | 'calls'>,
  allowance: Allowance,
): ReadonlySet<CallModel> | undefined {
  if (allowance === 'everything') return undefined;
  const isListed = ({ target, method }: CallModel): boolean =>
    [...allowance].some(([iri, methods]) => methods.includes(method) && isA(ontology, target, iri));
  return new Set(ontology.calls.filter(isListed));
}
