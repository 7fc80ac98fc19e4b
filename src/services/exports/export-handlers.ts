import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  expiryOf,
  hasExpired,
  exportFormats,
  MAX_EXPORTS,
  type BulkExport,
  type ExportedFile,
} from '../../access/accounts/bulk-exports.js';
import type { DocumentStore } from '../../store/documents/document-files.js';
import type { ServiceKey } from '../../model/ontology/answer-forms.js';
import { Problem, type ProblemKind } from '../../model/problem.js';
import { lastRevision } from '../../store/change-log.js';
import type { Answer } from '../../http/answer.js';
import { requireHistory } from '../../http/handlers/changes-of-record.js';
import type { CallParts } from '../../http/handlers/reads.js';
import { jsonAnswer, readJsonBody, refusedProperty } from '../../http/json-body.js';
import { forCalls, type CallRequest, type Handler, type RequestContext } from '../../http/request-context.js';
import { chooseCoding } from '../../http/respond/negotiate.js';
import { SALT, exportedCalls } from './exported-resources.js';

const ASK_AGAIN = 5;

type ExportKey = Extract<ServiceKey, `export${string}`>;

const mediaTypes = { ndjson: 'application/x-ndjson', nquads: 'application/n-quads' } as const;

/** Bulk exports for background apps, in the steps of FHIR's Bulk Data Access; each checks access again. */
export function exportHandlers(parts: CallParts): Readonly<Record<ExportKey, Handler>> {
  const { accounts, base } = parts;
  const answering = (answer: (app: string, request: CallRequest) => Answer | Promise<Answer>): Handler =>
    forCalls((request) => answer(request.path['app_id'] ?? '', request));
  const own = (app: string, { path }: RequestContext): BulkExport => {
    const found = accounts.bulkExport(path['export_id'] ?? '');
    if (!found || found.app !== app || !isShown(found)) throw notThere();
    return found;
  };
  const shown = (job: BulkExport) => show(parts, job);
  const status = (job: BulkExport): Answer => {
    if (job.state === 'failed') throw failure(job);
    const expires = expiryOf(job);
    if (expires !== undefined)
      return { ...jsonAnswer(shown(job)), headers: { Expires: new Date(expires).toUTCString() } };
    const headers = { 'X-Progress': `${job.records} records`, 'Retry-After': String(ASK_AGAIN) };
    return { ...jsonAnswer(shown(job)), status: 202, headers };
  };
  return {
    'export GET': answering((app, request) =>
      request.route.call.cardinality === 'single'
        ? status(own(app, request))
        : jsonAnswer({ exports: accounts.listExports(app).filter(isShown).map(shown) }),
    ),
    'export POST': answering(async (app, request) => {
      const begun = await accounts.beginExport(readKickOff(parts, app, request));
      if (!begun) throw tooMany(accounts.listExports(app));
      const headers = { 'Content-Location': addressOf(begun, base), 'Retry-After': String(ASK_AGAIN) };
      return { ...jsonAnswer(shown(begun)), status: 202, headers };
    }),
    'export DELETE': answering(async (app, request) => {
      await accounts.changeExport(own(app, request).id, (now) => ({
        ...now,
        state: 'ended',
        updated: Date.now(),
      }));
      return jsonAnswer({ removed: true });
    }),
    'export-file GET': answering((app, request) => {
      const job = own(app, request);
      const number = /^[1-9]\d{0,6}$/u.test(request.path['file'] ?? '') ? Number(request.path['file']) : 0;
      const file = job.state === 'done' ? job.files[number - 1] : undefined;
      if (!file) throw notThere();
      if (accounts.isClosedSince(app, job.created))
        throw new Problem(
          'forbidden',
          'Since this export was asked for, a patient has closed a part of their record; ask for another export.',
        );
      if (!mayRead(parts, job)(file))
        throw new Problem(
          'forbidden',
          'The app’s manifest does not list a class of this file under requires; list what the app needs.',
        );
      return fileAnswer(parts.documents, { job, file, number }, request);
    }),
  };
}

const notThere = (): Problem =>
  new Problem('not-found', 'This app has no such export, or no such file of it.');

function isShown(job: BulkExport): boolean {
  return job.state !== 'ended' && !hasExpired(job, Date.now());
}

const addressOf = ({ app, id }: BulkExport, base: string): string => `${base}/apps/${app}/exports/${id}`;

function readKickOff(parts: CallParts, app: string, request: RequestContext) {
  const { primary, ontology, callsOfApp } = parts;
  const isEmpty = request.body.length === 0;
  const names = ['format', 'since', 'classes'];
  const given = isEmpty ? {} : readJsonBody(request, names);
  const { format: named = 'ndjson', since, classes } = given;
  const format = exportFormats.find((each) => each === named);
  if (!format) throw refusedProperty('format', `format is one of ${exportFormats.join(', ')}.`);
  if (since !== undefined && (typeof since !== 'number' || !Number.isSafeInteger(since) || since < 0))
    throw refusedProperty('since', 'since must be the revision of an earlier export.');
  if (classes !== undefined && !isTexts(classes))
    throw refusedProperty('classes', 'classes is a list of IRIs of classes.');
  const classIris = classes && [...new Set(classes)];
  for (const iri of classIris ?? []) {
    if (exportedCalls(ontology, callsOfApp(app), [iri]).length === 0)
      throw refusedProperty(
        'classes',
        'Each of classes is one that calls about records answer with, and that the manifest lists under requires.',
      );
  }
  const { directory } = primary;
  const revision = directory.read((tx) => {
    if (since !== undefined) requireHistory(tx, since);
    return lastRevision(tx);
  });
  return { app, format, since, classes: classIris, revision, epoch: directory.epoch };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

/** Answers 429 until an export is removed, at the latest when the oldest expires. */
function tooMany(own: readonly BulkExport[]): Problem {
  const expiries = own.filter(isShown).flatMap((job) => expiryOf(job) ?? []);
  const seconds = expiries.length === 0 ? 60 : Math.ceil((Math.min(...expiries) - Date.now()) / 1000);
  return new Problem(
    'too-many-requests',
    `This app has ${MAX_EXPORTS} exports, which is the most; remove one first.`,
    { retryAfter: Math.max(1, seconds) },
  );
}

const failures: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  'too-large': [
    'unprocessable',
    'The export is too large; ask for fewer classes, or for changes since an earlier one.',
  ],
  'record-too-large': ['unprocessable', 'A record is too large to be exported; read it with the calls.'],
  'no-history': ['no-history', 'History does not reach back to since any more; export everything once.'],
};

function failure({ reason = '' }: BulkExport): Problem {
  const [kind, detail] = failures[reason] ?? [
    'internal-error',
    'The export could not be made; remove it, ask again later, and tell the operator.',
  ];
  return new Problem(kind, detail, { extra: { reason } });
}

function mayRead({ ontology, callsOfApp }: CallParts, { app }: BulkExport) {
  const targets = new Set(exportedCalls(ontology, callsOfApp(app)).map(({ target }) => target));
  return ({ class: target, removedClasses = [] }: ExportedFile): boolean =>
    (target === undefined ? removedClasses : [target]).every((each) => targets.has(each));
}

function show(parts: CallParts, job: BulkExport) {
  const { id, state, format, classes, since, revision, created, records, reason } = job;
  const address = addressOf(job, parts.base);
  const time = (at: number): string => new Date(at).toISOString();
  const expires = expiryOf(job);
  const isReadable = mayRead(parts, job);
  const files = job.files.flatMap((file, index) =>
    isReadable(file)
      ? [{ class: file.class, address: `${address}/files/${index + 1}`, count: file.count }]
      : [],
  );
  return {
    ...{ id, address, state, format, classes, since, revision, created: time(created), records, reason },
    ...(expires === undefined ? {} : { expires: time(expires) }),
    ...(state === 'done' && {
      files: files.filter((file) => file.class !== undefined),
      removed: files.filter((file) => file.class === undefined),
    }),
  };
}

interface RequestedFile {
  readonly job: BulkExport;
  readonly file: ExportedFile;
  readonly number: number;
}

async function fileAnswer(
  documents: DocumentStore,
  { job, file, number }: RequestedFile,
  { context }: RequestContext,
): Promise<Answer> {
  const mediaType = file.class === undefined ? mediaTypes.ndjson : mediaTypes[job.format];
  const headers = { Vary: 'Accept-Encoding' };
  if (chooseCoding(context.get('Accept-Encoding'), ['gzip']) === 'gzip') {
    const fileName = `${number}.${mediaType === mediaTypes.ndjson ? 'ndjson' : 'nq'}`;
    const coded = { ...headers, 'Content-Encoding': 'gzip' };
    return { kind: 'file', key: file.key, skip: SALT, fileName, mediaType, headers: coded };
  }
  const stored = (await documents.read(file.key)).subarray(SALT);
  return { kind: 'stream', headers, mediaType, body: Readable.from([stored]).pipe(createGunzip()) };
}
