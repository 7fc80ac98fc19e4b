import { addressOf, isRaw, type Parameters, type AnyOptions, type MadeCall, type Tools } from './call.js';
import type { ApiModel, CallRow } from './api-model.js';
import type { ClientForm } from '../model/ontology/client-methods.js';
import type { Answer, NotModified } from './answer-types.js';
import { answerGraph, answerList, answerObject, answerPosted } from './graph-answers.js';
import { answerFile, answerJson, answerRemoved, answerStored, answerTable } from './plain-answers.js';
import { createSender } from './send.js';
import type { ClientSettings } from './client-settings.js';
import { readShapes } from './client-shapes.js';
import { ntriples } from './graph-format.js';
import { answerStreamed } from './streamed-answers.js';

// Generated modules import these.
export type { ApiModel } from './api-model.js';
export type * from './methods.js';
export type * from './answer-types.js';
export type { AnalystSettings, ClientSettings } from './client-settings.js';
export type * from './thing-types.js';

type Handler = (tools: Tools, call: MadeCall) => Promise<Answer | NotModified>;

const handlers: Readonly<Record<ClientForm, Handler>> = {
  graph: answerGraph,
  object: answerObject,
  list: answerList,
  posted: answerPosted,
  json: answerJson,
  sent: answerJson,
  file: answerFile,
  document: (tools, call) => (isRaw(call) ? answerFile : answerObject)(tools, call),
  stored: answerStored,
  removed: answerRemoved,
  table: answerTable,
};

const withBody: ReadonlySet<ClientForm> = new Set(['posted', 'sent', 'stored']);

/**
 * Makes a client from the output of `chartgraph ontology client`: an object with a method for each call. Secrets stay
 * in closures, so printing the client never shows them.
 * @throws TypeError for unusable settings
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

function methodOf(tools: Tools, name: string, row: CallRow): (...given: unknown[]) => ReturnType<Handler> {
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
