import type { Answer, NotModified } from './answer-types.js';
import type { CallRow } from './api-model.js';
import { ChartgraphError } from './chartgraph-error.js';
import type { GraphFormat } from './graph-format.js';
import type { PostOptions, StoreOptions, WriteOptions } from './methods.js';
import type { OutgoingRequest, Received, Send } from './send.js';
import type { Shapes } from './client-shapes.js';
import { percentEncode } from '../access/oauth/percent.js';
import { PathTemplate } from '../model/ontology/path-template.js';

export interface Tools {
  readonly send: Send;
  readonly shapes: Shapes;
  readonly format: GraphFormat;
}

export type AnyOptions = WriteOptions &
  StoreOptions &
  Omit<PostOptions, 'contentType'> & { readonly stream?: boolean };

export interface MadeCall {
  readonly name: string;
  readonly row: CallRow;
  readonly parameters: Parameters;
  readonly address: string;
  readonly body: unknown;
  readonly options: AnyOptions;
}

/** Whether a call returns a document itself, not its description. */
export const isRaw = ({ row, parameters }: MadeCall): boolean =>
  row.form === 'document' && (parameters['format'] ?? row.format) === 'raw';

export function requestOf(
  { name, row, address, options }: MadeCall,
  more: Partial<OutgoingRequest> = {},
): OutgoingRequest {
  return {
    call: name,
    method: row.method,
    address,
    signal: options.signal,
    ...more,
    headers: { 'If-Match': options.ifMatch, 'If-None-Match': options.ifNoneMatch, ...more.headers },
  };
}

export function answerOf({ response }: Pick<Received, 'response'>): Answer {
  return {
    notModified: false,
    status: response.status,
    etag: response.headers.get('ETag') ?? undefined,
    mediaType: response.headers.get('Content-Type') ?? undefined,
    headers: response.headers,
  };
}

/** Returns the answer for a 304 response, if it is one. */
export function notModified({ response }: Pick<Received, 'response'>): NotModified | undefined {
  if (response.status !== 304) return undefined;
  return { notModified: true, status: 304, etag: response.headers.get('ETag') ?? undefined };
}

/** Decodes the text of a response. @throws ChartgraphError when it is not UTF-8 */
export function textOf({ name }: MadeCall, { bytes }: Received): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ChartgraphError('answer', name, 'the answer is not UTF-8.');
  }
}

export type Parameters = Readonly<Record<string, unknown>>;

/**
 * Returns the path and query of a call below the base URL. Joins several codes as the container expects them.
 * @throws TypeError for a parameter that is unknown or missing, or whose value cannot be sent
 */
export function addressOf(name: string, call: CallRow, parameters: Parameters): string {
  const template = PathTemplate.of(call.path);
  const inPath = template.parameters;
  for (const parameter of Object.keys(parameters)) {
    if (!inPath.includes(parameter) && !call.query.includes(parameter))
      throw new TypeError(`${name} has no parameter ${parameter}.`);
  }
  const values = inPath.map((parameter) => {
    const text = valueText(name, parameter, parameters[parameter]);
    // URLs resolve `.` and `..`, which would change the address.
    if (text === undefined || text === '' || text === '.' || text === '..')
      throw new TypeError(`${name} needs a ${parameter}.`);
    return [parameter, encode(name, parameter, text)];
  });
  const path = template.fill(Object.fromEntries(values)) + template.slash;
  const query = call.query.flatMap((parameter) => {
    if (inPath.includes(parameter)) return [];
    const text = valueText(name, parameter, parameters[parameter]);
    return text === undefined ? [] : `${percentEncode(parameter)}=${encode(name, parameter, text)}`;
  });
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function valueText(name: string, parameter: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('|');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TypeError(`${name} takes a text or a number as ${parameter}.`);
}

function encode(name: string, parameter: string, text: string): string {
  if (/\p{Surrogate}/u.test(text))
    throw new TypeError(`${name} cannot send half of a surrogate pair as ${parameter}.`);
  return percentEncode(text);
}
