import { factsOf } from '../../ontology/answer-forms.js';
import { EVENTS } from '../../ontology/service-forms.js';
import { unauthorized, SignatureRefusal } from '../../oauth/signature-refusal.js';
import { Problem } from '../../problem.js';
import { single } from '../../records/lists/arguments.js';
import { recordPart } from '../../records/record-partition.js';
import type { StreamAnswer } from '../answer.js';
import { clientAddress } from '../client-address.js';
import { accessEntry } from '../record-access.js';
import type { CallRequest, RequestContext } from '../request-context.js';
import { preferredType } from '../respond/accept.js';
import { ChangeStream } from './change-stream.js';
import {
  askedRecord,
  changesAfter,
  readRevision,
  requireHistory,
  type ChangesParts,
} from './changes-of-record.js';

/** Changes that are handed over at a time. */
const BATCH = 100;

/** Whether a request prefers server-sent events; `_format` names another form. */
export function asksForStream({ context, query, route }: CallRequest): boolean {
  const accept = context.get('Accept');
  if (!accept.toLowerCase().includes(EVENTS) || query.format !== undefined) return false;
  return preferredType(accept, factsOf(route.call).types) === EVENTS;
}

/**
 * The changes of a record after one of them, and those to come, as server-sent events. Without `since` or
 * `Last-Event-ID` it begins with those to come. It ends when its token does, when the record is removed, when a backup is
 * restored: before anything else is handed over.
 * @throws Problem invalid-parameter, not-found, no-history, too-many-requests, unavailable
 */
export function streamedChanges(parts: ChangesParts, request: RequestContext): StreamAnswer {
  const { primary, base, epoch, accounts, accessLog, streams } = parts;
  const { context, verified } = request;
  const { app, token } = verified?.principal ?? {};
  if (app === undefined || !token) throw unauthorized(new SignatureRefusal('malformed'), base);
  const asked = askedSince(request);
  const { record } = askedRecord(parts, request);
  const path = recordPart(record);
  const { directory } = primary;
  const since = directory.read((tx) => {
    requireHistory(tx, asked, record);
    return asked ?? primary.revision(path);
  });
  const owner = { app, token: token.id, address: clientAddress(context) };
  streams.requireRoom(owner);
  const began = epoch();
  const body = new ChangeStream({
    streams,
    owner,
    since,
    mustEnd: () => {
      if (!accounts.isTokenAlive(token.id)) return 'token';
      return epoch() === began ? undefined : 'restored';
    },
    revision: () => primary.revision(path),
    changesAfter: (revision) =>
      directory.read((tx) => {
        requireHistory(tx, revision, record);
        // What the record's or the app's manifest says by now counts, not what it said when the stream began.
        return changesAfter(tx, askedRecord(parts, request), revision, BATCH, base);
      }),
    record: async (facts) => {
      const entry = accessEntry(context, facts.outcome === 'done' ? 200 : 403);
      if (entry) await accessLog.record({ ...entry, ...facts });
    },
  });
  // Proxies that hold answers back would hold back each event.
  return { kind: 'stream', mediaType: EVENTS, headers: { 'X-Accel-Buffering': 'no' }, body };
}

/** After which change the stream begins: what a reader saw last counts more than what it began with. */
function askedSince(request: RequestContext): number | undefined {
  const { declared } = request.query;
  if (declared.has('limit')) {
    throw new Problem('invalid-parameter', 'A stream of changes has no limit; leave it out.', {
      extra: { parameter: 'limit' },
    });
  }
  const lastEvent = request.context.get('Last-Event-ID');
  const since = single(declared, 'since');
  if (lastEvent !== '') return readRevision('Last-Event-ID', lastEvent);
  return since === undefined ? undefined : readRevision('since', since);
}
