import type { ReadTx } from '../../disk/data-directory.js';
import { factsOf } from '../../ontology/answer-forms.js';
import type { Ontology } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import { Problem } from '../../problem.js';
import { changeGraph, toldChange, type ToldChange } from '../../records/change-graph.js';
import { readInteger } from '../../records/lists/arguments.js';
import { LARGEST_PAGE } from '../../records/lists/page.js';
import { recordPart } from '../../records/record-partition.js';
import { recordIri } from '../../records/resource-paths.js';
import { isRecordId } from '../../records/identifiers.js';
import { changesUnder, historyBegins } from '../../store/past.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { cacheControl, type Representation, type StoredAnswer } from '../answer.js';
import type { CallsOfApp } from '../app-requirements.js';
import type { RequestContext, Route } from '../request-context.js';
import { readQuery } from '../target.js';
import { graphRepresentations } from './graph-answer.js';

export interface ChangesParts {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  /** The base URL without a trailing slash. */
  readonly base: string;
  readonly epoch: () => string;
  readonly callsOfApp: CallsOfApp;
}

/** What is asked for: changes after one, so many of them, in a form. */
interface Asked {
  readonly record: string;
  readonly since: number | undefined;
  readonly limit: number;
  readonly format: string | undefined;
  /** Whether the app may know of a resource, by its path. */
  readonly mayRead: (path: string) => boolean;
}

/** A page of changes. */
interface Page {
  readonly changes: readonly ToldChange[];
  /** Up to which change this page tells. */
  readonly revision: number;
  readonly next: string | undefined;
}

const PATH = '/records/{record_id}/changes';
/** Beyond every number of a change. */
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * The route of the changes of a record since one of them: what was added, replaced and removed, when, by whom. It is
 * made from the history and not from a graph, so that it is no call of the ontology.
 */
export function changesRoutes(parts: ChangesParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      credentials: 'signature',
      access: 'record',
      handler: (request) => answer(parts, request),
    },
  ];
}

/** @throws Problem invalid-parameter, unknown-parameter, not-found, no-history */
function answer(parts: ChangesParts, request: RequestContext): StoredAnswer {
  const { primary, ontology, base, epoch } = parts;
  const asked = askedChanges(parts, request);
  const path = recordPart(asked.record);
  // Refused before anything is negotiated.
  const state = primary.directory.read((tx) => {
    requireHistory(tx, asked.since);
    return `${epoch()} ${primary.revision(path)} ${historyBegins(tx)?.revision ?? ''}`;
  });
  const read = (): Page => primary.directory.read((tx) => pageOf(tx, asked, base));
  const [first, ...others] = graphRepresentations(ontology, () => {
    const { changes, next } = read();
    return Promise.resolve({ quads: changeGraph(changes), link: linkTo(next) });
  });
  const json: Representation = {
    mediaType: 'application/json',
    format: 'json',
    make: () => {
      const page = read();
      return Promise.resolve({ body: JSON.stringify(page), link: linkTo(page.next) });
    },
  };
  // Before JSON-LD, which elsewhere is given to who asks for JSON.
  const representations = [...(first ? [first] : []), json, ...others];
  const app = request.verified?.principal.app ?? '';
  return {
    kind: 'stored',
    cacheControl: cacheControl.own,
    representations: chosen(representations, asked.format),
    key: `${path} changes ${asked.since} ${asked.limit} ${app}`,
    state: () => state,
    exists: () => true,
    queue: PATH,
    cached: false,
  };
}

const linkTo = (next: string | undefined): string | undefined =>
  next === undefined ? undefined : `<${next}>; rel="next"`;

function chosen(offered: readonly Representation[], format: string | undefined): readonly Representation[] {
  if (format === undefined) return offered;
  const named = offered.filter((each) => each.format === format);
  if (named.length > 0) return named;
  const names = offered.map((each) => each.format).join(', ');
  throw new Problem('invalid-parameter', `_format is one of ${names}.`, { extra: { parameter: '_format' } });
}

function askedChanges({ primary, ontology, base, callsOfApp }: ChangesParts, request: RequestContext): Asked {
  const { path, target, verified } = request;
  const record = path['record_id'] ?? '';
  const given = new Map<string, string>();
  for (const [name, value] of readQuery(target.query)) {
    if (name.startsWith('oauth_')) continue;
    if (!['since', 'limit', '_format'].includes(name)) {
      throw new Problem('unknown-parameter', 'The changes of a record know since, limit and _format.', {
        extra: { parameter: name.slice(0, 64) },
      });
    }
    if (given.has(name)) {
      throw new Problem('invalid-parameter', `${name} is given more than once; give it once.`, {
        extra: { parameter: name },
      });
    }
    given.set(name, value);
  }
  if (!isRecordId(record) || !primary.has(recordIri(base, record)))
    throw new Problem('not-found', 'There is no such record.');
  const since = given.get('since');
  return {
    record,
    since: since === undefined ? undefined : readInteger('since', since, 0, MOST),
    limit: readInteger('limit', given.get('limit') ?? String(LARGEST_PAGE), 1, LARGEST_PAGE),
    format: given.get('_format'),
    mayRead: readableBy(ontology, callsOfApp(verified?.principal.app ?? '')),
  };
}

/** What an app may know of: all that calls answer, or what its manifest lists; never what apps keep for themselves. */
function readableBy(ontology: Ontology, listed: ReturnType<CallsOfApp>): (path: string) => boolean {
  const reads = ontology.calls.filter(
    (call) => call.method === 'GET' && call.scope === 'record' && !factsOf(call).ownedByApp,
  );
  const templates = reads
    .filter((call) => listed === undefined || listed.has(call))
    .map(({ path }) => PathTemplate.of(path));
  return (path) => templates.some((template) => template.match(path) !== undefined);
}

/** @throws Problem no-history */
function requireHistory(tx: ReadTx, since: number | undefined): void {
  const begins = historyBegins(tx);
  if (!begins) throw new Problem('no-history', 'This container keeps no history.');
  if (since === undefined || since >= begins.revision) return;
  throw new Problem(
    'no-history',
    `History is kept since revision ${begins.revision}; read the record, and ask for changes since that one.`,
    { extra: { since: begins.revision } },
  );
}

function pageOf(tx: ReadTx, { record, since, limit, mayRead }: Asked, base: string): Page {
  const path = recordPart(record);
  const from = since ?? historyBegins(tx)?.revision ?? 0;
  const found = changesUnder(tx, path, from, limit + 1);
  const page = found.slice(0, limit);
  const revision = page.at(-1)?.revision ?? from;
  const changes = page
    .map((change) => ({ ...change, graphs: change.graphs.filter((graph) => mayRead(graph.path)) }))
    .filter(({ graphs }) => graphs.length > 0)
    .map((change) => toldChange(change, base));
  const next = found.length > limit ? `${base}${path}/changes?since=${revision}&limit=${limit}` : undefined;
  return { changes, revision, next };
}
