import type { CallModel } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { fileOf, type FileOfDocument } from '../../records/documents/content-key.js';
import type { Answer } from '../../http/answer.js';
import { readMediaType } from '../../http/media-type.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import type { RecordData } from '../../http/record-data.js';
import { isPicture, RecordReads, type RecordParts } from './record-reads.js';
import type { ShownFile } from './statement-page.js';

/** The file of a statement as its page at the path `here` shows it. */
export async function shownFile(file: FileOfDocument, here: string, data: RecordData): Promise<ShownFile> {
  const { fileName, mediaType } = file;
  return {
    path: `${here}?format=raw`,
    name: fileName,
    isImage: isPicture(mediaType),
    text: await textOf(file, data),
  };
}

/** Larger texts are files alone. */
const MAX_TEXT_BYTES = 1_000_000;

/** Reads a plain text in a charset that is known; undefined for other files. */
async function textOf({ key, mediaType = '' }: FileOfDocument, data: RecordData) {
  const type = readMediaType(mediaType);
  if (type?.essence !== 'text/plain' || key.size > MAX_TEXT_BYTES) return undefined;
  const bytes = await data.file(key);
  try {
    return new TextDecoder(type.parameters.get('charset') ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    // What an unknown charset or a broken text means is not guessed.
    return undefined;
  }
}

/** Sends a document's file, as apps get it. @throws Problem not-found */
export async function fileAnswer(
  parts: RecordParts,
  call: CallModel,
  { data }: OpenedRecord,
  id: string,
): Promise<Answer> {
  const { stored, order } = await new RecordReads(parts, data).item(call, id);
  const [iri] = order;
  const file = iri === undefined ? undefined : fileOf(stored, iri);
  if (!file) throw new Problem('not-found', 'The record has no file of this.');
  return { kind: 'file', ...file };
}
