import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import type { StreamedFile, StreamedGraph } from './answer-types.js';
import { answerOf, requestOf, type MadeCall, type Tools } from './call.js';
import { newPrefix, ntriples } from './graph-format.js';
import { formatOf, unreadable } from './read-graph.js';

/** The forms of calls whose answers are no graphs. */
const FILES: ReadonlySet<string> = new Set(['file', 'json', 'stored', 'removed']);

/** The answer of a call while it comes: the statements of a graph, the bytes of anything else. */
export async function answerStreamed(tools: Tools, call: MadeCall): Promise<StreamedGraph | StreamedFile> {
  const { name, row, parameters } = call;
  const isFile =
    FILES.has(row.form) || (row.form === 'document' && (parameters['format'] ?? row.format) === 'raw');
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

/** N-Triples have a statement a line, so that each can be read by itself. */
async function* quadsOf(call: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Quad> {
  const prefix = newPrefix();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const read = (text: string): Quad[] => {
    try {
      return readTriples(text, undefined, prefix);
    } catch {
      throw unreadable(call, ntriples, undefined);
    }
  };
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw unreadable(call, ntriples, undefined);
    }
  };
  // A line may come in many chunks: they are joined once it ends.
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
