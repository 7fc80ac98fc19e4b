import { allowsType } from '../../access/accounts/scopes.js';
import { authorize, opensMany, type AccessRules, type RequireRecord } from '../../http/authorize.js';
import type { ClosedView, ClosedViews } from '../../http/closed-view.js';
import { traceOf, viewerOf, type RequestContext } from '../../http/request-context.js';
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
  readonly closedViews: ClosedViews;
}

/** A record that a request may read by some calls. */
export interface Admitted {
  readonly record: string;
  /** What the request may see of the record. */
  readonly primary: PrimaryStore;
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
  { access, requireRecord, primary, closedViews }: AdmissionParts,
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
  const view = (id: string): ClosedView | undefined => closedViews(id, viewerOf(request));
  const patientId = own === undefined ? undefined : patientIdOf(primary, own);
  const other = ids.find((id) => id !== patientId);
  const found =
    other === undefined
      ? isForMany
        ? recordHolding(primary, view, resource)
        : own
      : recordOf(primary, other);
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
  const seen = view(record);
  trace.view = seen;
  trace.reads = isRefused ? calls : [...new Set([...calls, ...also])].filter(may);
  const [first] = refusals.values();
  if (!isCovered) throw first ?? new Problem('forbidden', NOT_COVERED);
  if (isRefused) throw first ?? new Problem('not-found', 'There is no such resource.');
  requireRecord({ record_id: record });
  return {
    record,
    primary: seen?.primary ?? primary,
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

/** Finds the only record that holds a resource, where that is not closed. */
function recordHolding(
  primary: PrimaryStore,
  view: (record: string) => ClosedView | undefined,
  resource = '',
): string | undefined {
  const isClosed = (record: string, place: string): boolean =>
    view(record)?.hides(`/records/${record}/${place}`) ?? false;
  const all = primary.directory.read((tx) => knownOf(tx, resource));
  const known = all
    .filter(({ recordId, made }) => made.length === 0 || !made.every((place) => isClosed(recordId, place)))
    .map(({ recordId }) => recordId);
  const [own = '', ...place] = (pathOfId(resource.slice(resource.indexOf('/') + 1)) ?? '').split('/');
  const isOwn = all.length === 0 && isRecordId(own) && !isClosed(own, place.join('/'));
  const [first, ...others] = new Set(isOwn ? [own] : known);
  return others.length === 0 ? first : undefined;
}
