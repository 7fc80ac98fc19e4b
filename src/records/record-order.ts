import type { DataDirectory } from '../disk/data-directory.js';
import { isRecordId } from './identifiers.js';

const START = '/records/';

/**
 * The id of the first record, or of the first one after another, in text order. Statements of a record stand
 * between records in that order; they are jumped over, so the time does not depend on how many there are.
 * @param id where to begin; that record need not exist
 * @returns undefined when no further record exists
 */
export function recordAfter(directory: DataDirectory, id: string | undefined): string | undefined {
  return directory.read((tx) => {
    let from = id === undefined ? { start: START } : { after: START + id };
    for (;;) {
      const [entry] = tx.range('graphs', { ...from, end: AFTER_RECORDS, limit: 1, values: false });
      if (!entry) return undefined;
      const [own = '', ...below] = String(entry.key).slice(START.length).split('/');
      if (below.length === 0 && isRecordId(own)) return own;
      // The next character after the slash: what sorts after everything below this record.
      from = below.length > 0 ? { start: `${START}${own}0` } : { after: START + own };
    }
  });
}

/**
 * The same among the records that something was changed in as far as history is kept, removed ones included.
 * @returns undefined when there is no further one
 */
export function changedRecordAfter(directory: DataDirectory, id: string | undefined): string | undefined {
  return directory.read((tx) => {
    // A key is a path, a space and a number: an exclamation mark sorts behind all of one path.
    let start = id === undefined ? START : `${START}${id}!`;
    for (;;) {
      const [entry] = tx.range('history', { start, end: AFTER_RECORDS, limit: 1, values: false });
      if (!entry) return undefined;
      const [own = '', mark] = String(entry.key)
        .slice(START.length)
        .split(/([ /])/u);
      if (mark === ' ' && isRecordId(own)) return own;
      start = `${START}${own}${mark === ' ' ? '!' : '0'}`;
    }
  });
}

/** Sorts after everything that begins with START. */
const AFTER_RECORDS = '/records0';
