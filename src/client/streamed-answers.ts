import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import type { StreamedFile, StreamedGraph } from './answer-types.js';
import { answerOf, isRaw, requestOf, type MadeCall, type Tools } from './call.js';
import { newPrefix, ntriples, formatOf, unreadable } from './graph-format.js';

const FILES: ReadonlySet<string> = new Set(['file', 'json', 'stored', 'removed']);

/** Returns an answer as it arrives: the statements of a graph, or the bytes of anything else. */
export async function answerStreamed(tools: Tools, call: MadeCall): Promise<StreamedGraph | StreamedFile> {
  const { name, row } = call;
  const isFile = FILES.has(row.form) || isRaw(call);
  const request = requestOf(call, { headers: { Accept: isFile ? '*/*' : ntriples.mediaType } });
  const begun = await tools.send.begin(request);
  const answer = answerOf(begun);
  const chunks = tools.send.chunks(request, begun);
  if (isFile) return { ...answer, body: streamOf(chunks) };
  formatOf(name, answer.mediaType, ntriples);
  return { ...answer, quads: quadsOf(name, chunks) };
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const each = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await each.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await each.return?.();
    },
  });
}

/** N-Triples have one statement per line, so each line can be read by itself. */
async function* quadsOf(call: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Quad> {
  const prefix = newPrefix();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch {
      throw unreadable(call, ntriples);
    }
  };
  const read = (text: string): Quad[] => attempt(() => readTriples(text, undefined, prefix));
  const decode = (chunk?: Uint8Array): string =>
    attempt(() => decoder.decode(chunk, { stream: chunk !== undefined }));
  // A line may arrive in many chunks, which are joined when it ends.
  let begun: string[] = [];
  for await (const chunk of chunks) {
    const text = decode(chunk);
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0) {
      begun.push(text);
      continue;
    }
    yield* read(begun.join('') + text.slice(0, end));
    begun = [text.slice(end)];
  }
  yield* read(begun.join('') + decode());
}
