import type { DataDirectory } from '../store/disk/data-directory.js';
import { isRecordId } from './identifiers.js';

const START = '/records/';

/**
 * Returns the id of the first record after another, in text order. Skips the records' statements, so the time does not
 * depend on their number.
 * @param id need not exist @returns undefined after the last record
 */
export function recordAfter(directory: DataDirectory, id: string | undefined): string | undefined {
  return directory.read((tx) => {
    let from = id === undefined ? { start: START } : { after: START + id };
    for (;;) {
      const [entry] = tx.range('graphs', { ...from, end: AFTER_RECORDS, limit: 1, values: false });
      if (!entry) return undefined;
      const [own = '', ...below] = String(entry.key).slice(START.length).split('/');
      if (below.length === 0 && isRecordId(own)) return own;
      // The character after the slash sorts after everything below this record.
      from = below.length > 0 ? { start: `${START}${own}0` } : { after: START + own };
    }
  });
}

/** The same for records with changes in the history, including removed ones. */
export function changedRecordAfter(directory: DataDirectory, id: string | undefined): string | undefined {
  return directory.read((tx) => {
    // Keys are a path, a space and a number; `!` sorts after all keys of a path.
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

const AFTER_RECORDS = '/records0';
