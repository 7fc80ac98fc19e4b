import { bodyBytes, isForm } from '../../http/admission/bodies.js';
import { cacheControl, type PlainAnswer, type StoredAnswer } from '../../http/answer.js';
import type { RouteParts } from '../../http/feature.js';
import type { RequestContext } from '../../http/request-context.js';
import { chooseRepresentation, notAcceptable } from '../../http/respond/negotiate.js';
import { readQuery } from '../../http/target.js';
import { allowsType } from '../../access/accounts/scopes.js';
import type { CallModel } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { nearestName } from '../../rdf/nearest-name.js';
import { admit, type Admitted, type AskedCalls } from './admitted.js';
import type { MadeResources } from './made-resources.js';
import { FHIR_JSON, fhirForms } from './operation-outcome.js';
import type { Pairs } from './read-search.js';
import type { MadeResource } from './resource-maker.js';

export const FHIR = '/fhir';
/** It is read alone, and in no search: its data are the bytes of a file. */
export const BINARY = 'Binary';

/** What the handlers of the FHIR API share. */
export class FhirParts {
  readonly base: string;
  /** Of the queries, once they are known. */
  #digest = '';

  constructor(
    readonly app: RouteParts,
    readonly made: MadeResources,
  ) {
    this.base = app.site.base + FHIR;
  }

  /** Returns the calls whose statements are made into resources, by type; those that a token's scopes cover. */
  async types({ verified }: Partial<RequestContext> = {}): Promise<
    ReadonlyMap<string, readonly CallModel[]>
  > {
    const types = new Map<string, CallModel[]>();
    const isCovered = (type: string): boolean => allowsType(verified?.principal.token ?? {}, type);
    for (const { name, types: own } of (await this.made.makable()).calls) {
      const call = this.app.program.ontology.callByName.get(name);
      for (const type of call ? own.filter(isCovered) : [])
        types.set(type, [...(types.get(type) ?? []), call as CallModel]);
    }
    return types;
  }

  /** @throws Problem not-found for a type that no query makes */
  async callsOf(type: string): Promise<readonly CallModel[]> {
    const types = await this.types();
    const calls = types.get(type);
    if (calls) return calls;
    const nearest = nearestName(type.slice(0, 64), types.keys(), 3);
    const hint = nearest === undefined ? '/fhir/metadata lists those that are' : `did you mean ${nearest}?`;
    throw new Problem('not-found', `Resources of this type are not served here; ${hint}.`.replace('?.', '?'));
  }

  async admit(request: RequestContext, asked: AskedCalls): Promise<Admitted> {
    const { access, requireRecord, closedViews, data } = this.app;
    const { digest } = await this.made.makable();
    this.#digest = digest;
    return admit({ access, requireRecord, closedViews, primary: data.primary }, request, asked);
  }

  async resources(of: Admitted, calls: readonly CallModel[], turn: string): Promise<MadeResource[]> {
    const all: MadeResource[] = [];
    for (const call of calls) for (const each of await this.made.ofCall(of, call, turn)) all.push(each);
    return all;
  }

  /** Answers with a text that depends on the state of a record. @param kind with calls and parameters identifies it */
  stored(
    request: RequestContext,
    admitted: Admitted,
    kind: readonly unknown[],
    write: () => Promise<string>,
  ): StoredAnswer {
    const { record, calls, also, refused, scope } = admitted;
    const names = [calls, also, refused].map((all) => all.map(({ name }) => name));
    return {
      kind: 'stored',
      cacheControl: cacheControl.own,
      representations: fhirForms,
      format: askedFormat(request),
      key: JSON.stringify([FHIR, this.#digest, record, names, scope, kind]),
      state: () => this.made.state(admitted),
      // Made outside of the queue, in which each of its parts takes a turn.
      read: () => Promise.resolve(async () => ({ body: await write() })),
      exists: () => true,
      queue: turnOf(request),
      cached: true,
    };
  }
}

/** The caller in the query queue. */
export const turnOf = ({ verified }: RequestContext): string => `${FHIR} ${verified?.principal.app ?? ''}`;

/**
 * Returns the parameters of the query and of a form, in order.
 * @throws Problem malformed-request, too-large, unsupported-media-type
 */
export function pairsOf({ context, target, route, body }: RequestContext): Pairs {
  const pairs = readQuery(target.query);
  if (route.method !== 'POST') return pairs;
  const form = bodyBytes(body, route.bodyLimit);
  if (form.byteLength > 0 && !isForm(context.get('Content-Type')))
    throw new Problem('unsupported-media-type', 'Send the parameters of a search as a form.');
  return [...pairs, ...readQuery(Buffer.from(form).toString())];
}

/** Returns the media type that `_format` asks for. @throws Problem not-acceptable */
export function askedFormat(request: RequestContext): string | undefined {
  const asked = pairsOf(request).find(([name]) => name === '_format')?.[1];
  // A plus sign that is not encoded arrives as a space.
  const name = asked?.replace(' ', '+');
  if (name === undefined || name === 'application/json') return name;
  if (name !== 'json' && name !== FHIR_JSON) throw notAcceptable(fhirForms);
  return FHIR_JSON;
}

/** Answers with one resource, whose version is its entity tag. @throws Problem not-acceptable */
export function resourceAnswer(request: RequestContext, { text, revision, at }: MadeResource): PlainAnswer {
  const chosen = chooseRepresentation(request.context, askedFormat(request), fhirForms);
  if (!chosen) throw notAcceptable(fhirForms);
  return {
    kind: 'plain',
    mediaType: chosen.mediaType,
    cacheControl: cacheControl.own,
    headers: {
      Vary: 'Accept',
      ...(at !== undefined && { 'Last-Modified': new Date(at).toUTCString() }),
    },
    body: text,
    version: { tag: `W/"${revision}"`, exists: true },
  };
}
