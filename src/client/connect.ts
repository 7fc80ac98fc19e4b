import { addressOf, type Parameters } from './address.js';
import type { ApiModel, CallRow } from './api-model.js';
import type { AnyAnswer, AnyOptions, MadeCall, Tools } from './call.js';
import type { ClientForm } from '../ontology/client-methods.js';
import { answerGraph, answerList, answerObject, answerPosted } from './graph-answers.js';
import { answerFile, answerJson, answerRemoved, answerStored } from './plain-answers.js';
import { createSender } from './send.js';
import { answerTable } from './table-answers.js';
import type { ClientSettings } from './client-settings.js';
import { readShapes } from './client-shapes.js';
import { ntriples } from './graph-format.js';
import { answerStreamed } from './streamed-answers.js';

// What generated modules name.
export type { ApiModel } from './api-model.js';
export type {
  AnalysisMethod,
  DocumentMethod,
  JsonListMethod,
  JsonMethod,
  ListMethod,
  NoParameters,
  PostMethod,
  ReadMethod,
  RemoveMethod,
  SendMethod,
  StoreMethod,
} from './methods.js';
export type { FileAnswer, GraphAnswer, ObjectAnswer } from './answer-types.js';
export type { AnalystSettings, ClientSettings } from './client-settings.js';
export type { Code, Described, Inner, Link, Thing } from './thing-types.js';

type Handler = (tools: Tools, call: MadeCall) => Promise<AnyAnswer>;

const handlers: Readonly<Record<ClientForm, Handler>> = {
  graph: answerGraph,
  object: answerObject,
  list: answerList,
  posted: answerPosted,
  json: answerJson,
  sent: answerJson,
  file: answerFile,
  document: (tools, call) =>
    (call.parameters['format'] ?? call.row.format) === 'raw'
      ? answerFile(tools, call)
      : answerObject(tools, call),
  stored: answerStored,
  removed: answerRemoved,
  table: answerTable,
};

/** The forms of calls that take a body between parameters and options. */
const withBody: ReadonlySet<ClientForm> = new Set(['posted', 'sent', 'stored']);

/**
 * Makes a client from what `chartgraph ontology client` wrote of an ontology: an object with a method for each call.
 * Secrets stay in its closures; nothing that is printed of it shows them.
 * @throws TypeError for settings that cannot be used
 */
export function connect<CLIENT>(model: ApiModel<CLIENT>, settings: ClientSettings): CLIENT {
  const tools: Tools = {
    send: createSender(settings),
    shapes: readShapes(model),
    format: settings.format ?? ntriples,
  };
  const calls = Object.entries<CallRow>(model.calls);
  return Object.freeze(
    Object.fromEntries(calls.map(([name, row]) => [name, methodOf(tools, name, row)])),
  ) as CLIENT;
}

function methodOf(tools: Tools, name: string, row: CallRow): (...given: unknown[]) => Promise<AnyAnswer> {
  const handle = handlers[row.form];
  return async (parameters: unknown = {}, ...rest: unknown[]) => {
    const [body, options] = withBody.has(row.form) ? rest : [undefined, rest[0]];
    const given = parameters as Parameters;
    const call: MadeCall = {
      name,
      row,
      parameters: given,
      address: addressOf(name, row, given),
      body,
      options: (options ?? {}) as AnyOptions,
    };
    return call.options.stream ? answerStreamed(tools, call) : handle(tools, call);
  };
}
