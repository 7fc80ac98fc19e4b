import { minute } from './minute.js';
import type { MakeSection } from './section.js';

/** The state of the container. */
export const stateSection: MakeSection = ({ administration, settings }) => ({
  name: 'state',
  title: 'State',
  about: 'How the container is now. Memory is that of the process that answers.',
  columns: ['What', 'Now'],
  list: async () => {
    const [{ store, free }, backup] = await Promise.all([administration.disk(), administration.lastBackup()]);
    const { workers = 1 } = settings;
    return [
      ['Version', settings.version],
      ['Running since', minute(Date.now() - process.uptime() * 1000)],
      ['Processes that answer', String(workers)],
      ['Memory', megabytes(process.memoryUsage.rss())],
      ['Store on the disk', megabytes(store)],
      ['Free on the disk', megabytes(free)],
      [
        'Last backup',
        backup
          ? `${minute(Date.parse(backup.time))}, by ${backup.account}`
          : 'None in the newest part of the access log',
      ],
    ].map((cells) => ({ cells }));
  },
});

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
