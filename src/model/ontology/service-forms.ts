import { answeredFormats, formats } from '../../rdf/formats.js';
import { clientMethods } from './client-methods.js';

export const EVENTS = 'text/event-stream';

const { json, sent, file, removed } = clientMethods;
const plain = { paged: false, ranges: false } as const;
const [defaultGraphType = '', ...otherGraphTypes] = answeredFormats.map(
  (format) => formats[format].mediaType,
);

const jsonService = {
  graphs: false,
  takes: [],
  tagged: false,
  ownedByApp: false,
  headers: [],
  problems: [],
  example: 'none',
} as const;
const jsonTypes = ['application/json'] as const;
const exportTypes = ['application/x-ndjson', 'application/n-quads'] as const;
const aboutSubscriptions = { ...jsonService, service: 'record', bodyLimit: 4096 } as const;
const aboutExports = { ...jsonService, service: 'app', bodyLimit: 16 * 1024 } as const;

/** The answer forms of services of the container, each for calls of one scope. */
export const serviceForms = {
  'changes GET': {
    service: 'record',
    graphs: true,
    takes: [],
    tagged: true,
    ownedByApp: false,
    headers: ['If-None-Match', 'Last-Event-ID'],
    problems: ['no-history', 'not-acceptable', 'precondition-failed', 'too-many-requests'],
    example: 'none',
    // JSON before JSON-LD, which is the answer to requests for JSON elsewhere.
    multiple: {
      ...plain,
      types: [defaultGraphType, 'application/json', ...otherGraphTypes, EVENTS],
      client: json,
    },
  },
  'subscription GET': {
    ...aboutSubscriptions,
    single: { ...plain, types: jsonTypes, client: json },
    multiple: { ...plain, types: jsonTypes, client: json },
  },
  'subscription POST': {
    ...aboutSubscriptions,
    takes: jsonTypes,
    problems: ['no-history', 'conflict', 'unprocessable'],
    single: { ...plain, types: jsonTypes, client: sent },
  },
  'subscription PUT': {
    ...aboutSubscriptions,
    takes: jsonTypes,
    problems: ['no-history', 'unprocessable'],
    single: { ...plain, types: jsonTypes, client: sent },
  },
  'subscription DELETE': {
    ...aboutSubscriptions,
    single: { ...plain, types: jsonTypes, client: removed },
  },
  'export GET': {
    ...aboutExports,
    problems: ['no-history', 'unprocessable'],
    single: { ...plain, types: jsonTypes, client: json },
    multiple: { ...plain, types: jsonTypes, client: json },
  },
  'export POST': {
    ...aboutExports,
    takes: jsonTypes,
    problems: ['no-history', 'unprocessable', 'too-many-requests'],
    single: { ...plain, types: jsonTypes, client: sent },
  },
  'export DELETE': {
    ...aboutExports,
    single: { ...plain, types: jsonTypes, client: removed },
  },
  'export-file GET': {
    ...aboutExports,
    tagged: true,
    headers: ['If-None-Match'],
    problems: ['precondition-failed', 'damaged-document'],
    single: { types: exportTypes, paged: false, ranges: true, client: file },
  },
} as const;
