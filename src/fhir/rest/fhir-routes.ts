import { cacheControl, type Answer } from '../../http/answer.js';
import type { Handler, RequestContext, Route } from '../../http/request-context.js';
import type { CallModel } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { nameOf } from '../resource-names.js';
import type { Admitted } from './admitted.js';
import { binaryData } from '../out/binary-data.js';
import { bundle, historyEntry } from './bundles.js';
import { capabilityStatement } from './capability-statement.js';
import { askedFormat, BINARY, FHIR, pairsOf, resourceAnswer, turnOf, type FhirParts } from './fhir-parts.js';
import { fhirForms } from './operation-outcome.js';
import { readSearch } from './read-search.js';
import type { MadeResource } from './resource-maker.js';
import { everything, isLenient, search } from './search-handlers.js';
import { isGone, versionsOf, type Version } from './versions.js';

/** As long as a query may be. */
const MAX_FORM = 16 * 1024;
/** The most versions of a resource that its history shows. */
const MAX_VERSIONS = 100;

interface FoundResource {
  readonly admitted: Admitted;
  readonly found: MadeResource;
  /** The call whose query made it. */
  readonly call: CallModel;
}

const noSuch = (): Problem => new Problem('not-found', 'There is no such resource.');

/** The FHIR R4 API: what export queries make of a record, for apps that may make the calls of these queries. */
export function fhirRoutes(parts: FhirParts): readonly Route[] {
  const route = (method: Route['method'], path: string, handler: Handler): Route => ({
    ...{ method, path: FHIR + path, handler },
    ...{ credentials: 'signature or bearer', access: 'signer' },
  });
  const of =
    (answer: typeof read): Handler =>
    (request) =>
      answer(parts, request);
  return [
    { ...route('GET', '/metadata', metadata(parts)), credentials: 'none', access: 'anybody' },
    route('GET', '/{type}', search(parts)),
    { ...route('POST', '/{type}/_search', search(parts)), bodyLimit: MAX_FORM },
    route('GET', '/{type}/{id}', of(read)),
    route('GET', '/{type}/{id}/_history', of(history)),
    route('GET', '/{type}/{id}/_history/{version}', of(vread)),
    route('GET', '/Patient/{id}/$everything', everything(parts)),
  ];
}

const metadata =
  (parts: FhirParts): Handler =>
  async (request) => {
    const { site, program, settings } = parts.app;
    const { digest } = await parts.made.makable();
    return {
      kind: 'stored',
      cacheControl: cacheControl.shared,
      representations: fhirForms,
      format: askedFormat(request),
      key: `${FHIR}/metadata ${digest}`,
      state: () => JSON.stringify([site.name, site.description]),
      read: () =>
        Promise.resolve(async () => ({
          body: capabilityStatement({
            ...program,
            site,
            ...{ version: settings.version, smart: settings.smart },
            types: await parts.types(),
          }),
        })),
      exists: () => true,
      queue: 'descriptions',
      cached: true,
    };
  };

async function read(parts: FhirParts, request: RequestContext): Promise<Answer> {
  const { found } = await find(parts, request);
  return resourceAnswer(request, found.type === BINARY ? await withData(parts, found) : found);
}

/** A Binary with the bytes of its file, which only a read has; that of a note may have its text already. */
async function withData({ app }: FhirParts, found: MadeResource): Promise<MadeResource> {
  const data = await binaryData(found.statement, app.data.primary);
  return data === undefined ? found : { ...found, text: `${found.text.slice(0, -1)},"data":"${data}"}` };
}

async function vread(parts: FhirParts, request: RequestContext): Promise<Answer> {
  const { versions, at } = await versionsIn(parts, request);
  const version = versions.find(({ revision }) => String(revision) === request.path['version']);
  const found = version && !version.isRemoved ? await at(version) : undefined;
  if (!found) throw noSuch();
  return resourceAnswer(request, found);
}

async function history(parts: FhirParts, request: RequestContext): Promise<Answer> {
  const { admitted, found, versions, at } = await versionsIn(parts, request);
  const name = nameOf(found);
  return parts.stored(request, admitted, [name, 'history'], async () => {
    const entries: string[] = [];
    for (const version of versions.slice(0, MAX_VERSIONS))
      entries.push(
        historyEntry(name, parts.base, version, version.isRemoved ? undefined : await at(version)),
      );
    const self = { relation: 'self', url: `${parts.base}/${name}/_history` } as const;
    return bundle('history', versions.length, [self], entries);
  });
}

/** Finds the resource of a path in the record of the token. @throws Problem not-found, gone, forbidden for another patient */
async function find(parts: FhirParts, request: RequestContext): Promise<FoundResource> {
  const { type = '', id = '' } = request.path;
  const calls = await parts.callsOf(type);
  const admitted = await parts.admit(request, {
    ...{ types: [type], calls },
    patients: type === 'Patient' ? [id] : [],
    resource: `${type}/${id}`,
  });
  readSearch(type, pairsOf(request), isLenient(request), ['_format', '_pretty']);
  for (const call of admitted.calls) {
    const found = await parts.made.find(admitted, call, { type, id }, turnOf(request));
    if (found) return { admitted, found, call };
  }
  const { program } = parts.app;
  const { origins } = await parts.made.makable();
  if (isGone(admitted.primary, origins, program.ontology, { ...admitted, asked: { type, id } }))
    throw new Problem('gone', 'This resource has been removed.');
  throw noSuch();
}

async function versionsIn(parts: FhirParts, request: RequestContext) {
  if (request.path['type'] === BINARY)
    throw new Problem('not-found', 'A Binary has no versions; read the versions of its DocumentReference.');
  const located = await find(parts, request);
  const { admitted, found, call } = located;
  const { primary } = admitted;
  const path = found.statement.slice(primary.base.length);
  const versions = primary.directory.read((tx) => versionsOf(tx, path, `/records/${admitted.record}`));
  const at = async ({ revision }: Version): Promise<MadeResource | undefined> => {
    const all = await parts.made.make(admitted, call, [found.statement], turnOf(request), revision);
    return all.find(({ type, id }) => type === found.type && id === found.id);
  };
  return { ...located, versions, at };
}
