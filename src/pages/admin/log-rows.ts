import { readableMinute } from '../../http/html/readable.js';
import { wasRefused, type RecordedEntry } from '../../access/log/access-entry.js';
import { authorityOf, withoutBeginnings, type GatheredEntry } from '../../access/log/gathered-entries.js';
import { html } from '../../http/html/html.js';
import { groupedBy } from '../../rdf/by-key.js';
import type { Cell } from './list-cells.js';
import type { LogWords } from './log-words.js';
import { onlyNames, said } from './log-sentences.js';
import type { Row } from './section.js';

/** Returns the rows of a table to download, which has ids and each entry. */
export const inIds = (found: readonly GatheredEntry[], words: LogWords): Row[] =>
  found
    .map(({ entry, times }) => ({ entry, times, authority: authorityOf(entry) }))
    .map(({ entry, times, authority }) => ({
      cells: [
        entry.time,
        authority ?? entry.user ?? '',
        entry.app ?? '',
        entry.action,
        entry.record ?? '',
        entry.resource ?? entry.tokenId ?? '',
        entry.outcome,
        entry.address ?? '',
        [entry.reason, entry.purpose].filter((text) => text !== undefined).join('; '),
        times > 1 ? String(times) : '',
        (authority !== undefined && entry.user) || '',
        () => words.name(entry.account === undefined ? (authority ?? entry.user) : undefined, entry),
        () => words.name(authority === undefined ? undefined : entry.user, entry),
      ],
    }));

/** Returns rows of sentences, the one with the latest act first. */
export function inWords(found: readonly GatheredEntry[], words: LogWords): Row[] {
  const groups = groupedBy(withoutBeginnings(found), ({ entry }) => words.keyOf(entry)).values();
  return withNames([...groups], words)
    .map((rows) => ({ rows, time: Math.max(...rows.map(({ entry }) => Date.parse(entry.time))) }))
    .sort((a, b) => b.time - a.time)
    .map(({ rows, time }) => {
      const entries = rows.map(({ entry }) => entry);
      const [{ entry: latest, times }] = rows as [GatheredEntry];
      return {
        cells: [
          readableMinute(time)
            .replace(' UTC', '')
            .replaceAll(/(?<!,) /gu, '\u00a0'),
          () => words.who(latest),
          async () =>
            outcomeCell(
              `${await words.what(entries)}${times > 1 ? ` (${times} times that day)` : ''}`,
              entries,
            ),
          () => words.why(latest),
          latest.address ?? '',
        ],
      };
    });
}

/** Puts names that were shown into the row of an act of the same person and minute, if there is one. */
function withNames(groups: readonly GatheredEntry[][], words: LogWords): GatheredEntry[][] {
  const isNames = (rows: readonly GatheredEntry[]): boolean => rows.every(({ entry }) => onlyNames(entry));
  const placeOf = ([first]: readonly GatheredEntry[]): string => (first ? words.placeOf(first.entry) : '');
  const names = groupedBy(groups.filter(isNames), placeOf);
  const acts = groupedBy(
    groups.filter((rows) => !isNames(rows)),
    placeOf,
  );
  return [
    ...[...acts].flatMap(([place, [latest = [], ...others]]) => [
      [...latest, ...(names.get(place) ?? []).flat()],
      ...others,
    ]),
    ...[...names].flatMap(([place, rows]) => (acts.has(place) ? [] : rows)),
  ];
}

const ENDINGS: Readonly<Record<string, string>> = { refused: 'but was refused', failed: 'but it failed' };

function outcomeCell(text: string, entries: readonly RecordedEntry[]): Cell {
  const [latest] = entries as [RecordedEntry];
  if (latest.outcome === 'begun') return `${text} (under way)`;
  // Other sentences say already that it came to nothing.
  if (!wasRefused(latest) || entries.every((entry) => said(entry)[0] === '')) return text;
  const ending = ENDINGS[latest.outcome] ?? latest.outcome;
  return { text: `${text}, ${ending}`, drawn: html`${text}, <strong>${ending}</strong>` };
}
