import type { RecordedEntry } from '../../access/log/access-entry.js';
import { readableMinute } from '../../http/html/readable.js';
import { problem } from './list-cells.js';
import type { MakeSection } from './section.js';

const OLD_BACKUP = 7 * 24 * 60 * 60 * 1000;
const DAY = 24 * 60 * 60 * 1000;
const LITTLE_DISK = 0.1;

/** The latest log entries among which failed sign-ins are counted. */
const MOST_COUNTED = 5000;

/** The state of the container. */
export const stateSection: MakeSection = ({ administration, settings, flow: { accounts } }) => ({
  name: 'state',
  title: 'Status',
  about: 'The current state of this container.',
  none: '',
  columns: ['What', 'Now'],
  list: async () => {
    const [now, backups] = await Promise.all([administration.machine(), administration.lastBackups()]);
    const { store, disk, memory, memoryForData } = now;
    const { made, unmade } = backups;
    const backup = [
      made ? `${at(made)}, by ${made.account}.` : 'No backup found.',
      ...(unmade ? [`The backup of ${at(unmade)} failed or is still under way.`] : []),
    ].join(' ');
    const isOld = !made || Date.now() - Date.parse(made.time) > OLD_BACKUP;
    const advice = isOld ? ` Make one every day: chartgraph backup --data ${settings.data} FILE` : '';
    const free = `${size(disk.free)} of ${size(disk.size)}`;
    const tokens = [...(await accounts.tokensOf(undefined)), ...accounts.listAnalystTokens()];
    const usable = tokens.filter(({ revoked }) => !revoked);
    const expired = usable.filter(({ expires }) => expires <= Date.now()).length;
    const failing = accounts
      .listSubscriptions()
      .filter(({ failures, deadLetters }) => failures > 0 || deadLetters.length > 0).length;
    const lastDay = await administration.entries({ since: Date.now() - DAY, limit: MOST_COUNTED });
    const refused = lastDay
      .filter(({ entry }) => /^sign-in\.(?:refused|throttled)$/u.test(entry.action))
      .reduce((sum, { times }) => sum + times, 0);
    const isFull = disk.free < LITTLE_DISK * disk.size;
    return [
      { cells: ['Version', settings.version] },
      { cells: ['Running since', readableMinute(Date.now() - process.uptime() * 1000)] },
      { cells: ['Last backup', isOld || unmade ? problem(backup + advice) : backup] },
      { cells: ['Tokens', `${usable.length - expired} in use, ${expired} expired`] },
      { cells: ['Failing webhooks', failing > 0 ? problem(String(failing)) : '0'] },
      { cells: ['Failed sign-ins in the last 24 hours', String(refused)] },
      { cells: ['Data on the disk', size(store)] },
      { cells: ['Free on the disk', isFull ? problem(`${free}: nearly full`) : free] },
      { cells: ['Server processes', String(settings.workers ?? 1)] },
      { cells: ['Memory used by this process', `${size(memory.used)} of ${size(memory.size)}`] },
      { cells: ['Memory limit for data, all processes', size(memoryForData)] },
    ];
  },
});

const at = ({ time }: RecordedEntry): string => readableMinute(Date.parse(time));

const MB = 1024 * 1024;

/** Formats bytes to two or three digits. */
function size(bytes: number): string {
  const [count, unit] = bytes < 1000 * MB ? [bytes / MB, 'MB'] : [bytes / MB / 1024, 'GB'];
  return `${Number(count.toPrecision(count < 10 ? 2 : 3))} ${unit}`;
}
