import { allowsType } from '../../access/accounts/scopes.js';
import { authorize, opensMany, type AccessRules, type RequireRecord } from '../../http/authorize.js';
import { traceOf, type RequestContext } from '../../http/request-context.js';
import type { CallModel } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { isRecordId } from '../../records/identifiers.js';
import { knownOf } from '../../records/statement-origins.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { pathOfId } from '../out/export-names.js';
import { patientIdOf } from '../out/origin-names.js';

export interface AdmissionParts {
  readonly access: AccessRules;
  readonly requireRecord: RequireRecord;
  readonly primary: PrimaryStore;
}

/** A record that a request may read by some calls. */
export interface Admitted {
  readonly record: string;
  readonly calls: readonly CallModel[];
  /** Calls that the app may not make. */
  readonly refused: readonly CallModel[];
  /** Further calls that it may make, for what is linked to. */
  readonly also: readonly CallModel[];
  /** Scopes of the token, which may hide some types. */
  readonly scope: string | undefined;
}

export interface AskedCalls {
  /** The types that are asked for; the scopes of the token cover one at least. */
  readonly types: readonly string[];
  /** The calls that make what is asked for; one that may be made is enough. */
  readonly calls: readonly CallModel[];
  readonly also?: readonly CallModel[];
  /** Ids of patients, or their URLs; none: the one of the token. */
  readonly patients?: readonly string[];
  /** Type and id of a resource, which tells the record where the token does not. */
  readonly resource?: string;
}

/**
 * Authorises a request as the calls are that it reads by, and notes them for the access log.
 * @throws Problem unauthorized, forbidden, not-found for the record
 */
export function admit(
  { access, requireRecord, primary }: AdmissionParts,
  request: RequestContext,
  { types, calls, also = [], patients = [], resource }: AskedCalls,
): Admitted {
  const { context, route, verified, path } = request;
  const { principal } = verified ?? {};
  const own = principal?.token?.record;
  const ids = patients.map((each) => each.slice(each.lastIndexOf('/') + 1));
  const isForMany = principal?.token !== undefined && opensMany(principal.token);
  if (isForMany && (new Set(ids).size > 1 || (ids.length === 0 && resource === undefined)))
    throw new Problem(
      'invalid-parameter',
      'This token is for more than one record; name one patient, such as patient=ID.',
    );
  const patientId = own === undefined ? undefined : patientIdOf(primary, own);
  const other = ids.find((id) => id !== patientId);
  const found =
    other === undefined ? (isForMany ? recordHolding(primary, resource) : own) : recordOf(primary, other);
  const record = found ?? '';
  const trace = traceOf(context);
  trace.parameters = { ...path, ...(found !== undefined && { record_id: found }) };
  const refusals = new Map<CallModel, Error>();
  for (const call of [...calls, ...also]) {
    try {
      const asCall = { ...route, method: 'GET', call, access: call.scope } as const;
      authorize(access, asCall, { record_id: record }, principal);
    } catch (error) {
      refusals.set(call, error as Error);
    }
  }
  const may = (call: CallModel): boolean => !refusals.has(call);
  const isCovered = types.some((type) => allowsType(principal?.token ?? {}, type));
  const isRefused = !isCovered || !calls.some(may);
  trace.reads = isRefused ? calls : [...new Set([...calls, ...also])].filter(may);
  const [first] = refusals.values();
  if (!isCovered) throw first ?? new Problem('forbidden', NOT_COVERED);
  if (isRefused) throw first ?? new Problem('not-found', 'There is no such resource.');
  requireRecord({ record_id: record });
  return {
    record,
    scope: principal?.token?.scope,
    calls: calls.filter(may),
    refused: calls.filter((call) => !may(call)),
    also: also.filter(may),
  };
}

const NOT_COVERED = 'The scopes of the token do not cover this type of resource; issue one with its scope.';

/** Finds the record of another patient, on which the access log shows the attempt. */
function recordOf(primary: PrimaryStore, id: string): string | undefined {
  const known = primary.directory.read((tx) => knownOf(tx, `Patient/${id}`)).map(({ recordId }) => recordId);
  const candidates = [...known, pathOfId(id) ?? ''].filter((record) => isRecordId(record));
  return candidates.find((record) => patientIdOf(primary, record) === id);
}

/** Finds the only record that holds a resource. */
function recordHolding(primary: PrimaryStore, resource = ''): string | undefined {
  const known = primary.directory.read((tx) => knownOf(tx, resource)).map(({ recordId }) => recordId);
  const [own = ''] = (pathOfId(resource.slice(resource.indexOf('/') + 1)) ?? '').split('/');
  const [first, ...others] = new Set(known.length > 0 ? known : isRecordId(own) ? [own] : []);
  return others.length === 0 ? first : undefined;
}
