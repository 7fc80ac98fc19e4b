import type { Answer, FileAnswer, JsonAnswer, NotModified } from './answer-types.js';
import { jsonBody, textBody } from './request-body.js';
import { answerOf, notModified, requestOf, textOf, type MadeCall, type Tools } from './call.js';
import { ChartgraphError } from './chartgraph-error.js';
import type { Received } from './send.js';

/** A JSON document, perhaps in answer to one. */
export async function answerJson(tools: Tools, call: MadeCall): Promise<JsonAnswer<unknown> | NotModified> {
  const headers = { Accept: 'application/json' };
  const received = await tools.send(requestOf(call, { ...jsonBody(call.body), headers }));
  const unchanged = notModified(received);
  if (unchanged) return unchanged;
  const raw = textOf(call, received);
  try {
    return { ...answerOf(received), object: JSON.parse(raw) as unknown, raw };
  } catch {
    throw new ChartgraphError('answer', call.name, 'the answer is no JSON.');
  }
}

/** The bytes of a file, or the text that an app keeps. */
export async function answerFile(tools: Tools, call: MadeCall): Promise<FileAnswer | NotModified> {
  const received = await tools.send(requestOf(call, { headers: { Accept: '*/*' } }));
  return notModified(received) ?? fileOf(call, received);
}

/** Text that has been stored. */
export async function answerStored(tools: Tools, call: MadeCall): Promise<FileAnswer> {
  const received = await tools.send(requestOf(call, textBody(call.body, call.options.contentType)));
  return fileOf(call, received);
}

/** What has been removed leaves nothing to show. */
export async function answerRemoved(tools: Tools, call: MadeCall): Promise<Answer> {
  return answerOf(await tools.send(requestOf(call)));
}

function fileOf(call: MadeCall, received: Received): FileAnswer {
  return { ...answerOf(received), raw: received.bytes, text: () => textOf(call, received) };
}
