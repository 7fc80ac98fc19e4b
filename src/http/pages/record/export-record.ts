import { exportRdf } from '../../../records/export-data.js';
import type { PlainAnswer } from '../../answer.js';
import type { OpenedRecord } from './open-record.js';
import type { RecordParts } from './record-reads.js';

/** `/account/exports/{record_id}`: all of a record in Turtle, to be saved. */
export async function exportRecord(parts: RecordParts, { holder }: OpenedRecord): Promise<PlainAnswer> {
  let body = '';
  for await (const chunk of exportRdf({ ...parts, format: 'turtle', recordId: holder.record })) body += chunk;
  return {
    kind: 'plain',
    mediaType: 'text/turtle',
    headers: { 'Content-Disposition': `attachment; filename="record-${holder.record}.ttl"` },
    body,
  };
}
