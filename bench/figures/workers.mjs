// Cold lists of two workers against one, in a closed loop. The client takes its share of the same cores: on a machine
// with two of them it is what two workers lack.
import { cpus } from 'node:os';
import { Client } from '../lib/client.mjs';
import { lists, patients } from '../lib/data.mjs';
import { figure, median, short, spreadOf } from '../lib/measure.mjs';
import { expectAll, pathOf, recordIds } from '../lib/requests.mjs';
import { credentials, serve } from '../lib/servers.mjs';

export async function measure({ quick, rounds }) {
  const data = await patients(quick ? 100 : 2000, {});
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  const each = Math.floor((records.length * lists.length) / (rounds + 1) / 2);
  const client = new Client();
  const rates = { 1: [], 2: [] };
  const shares = [];
  try {
    for (const workers of [1, 2]) {
      // A new server for each, so that nothing was asked before; both get the same questions.
      const server = await serve(data.dir, { workers });
      try {
        for (let round = 0; round <= rounds; round++) {
          const requests = Array.from({ length: each }, (_, index) => {
            const number = round * each + index;
            const record = records[number % records.length];
            return {
              path: pathOf(lists[Math.floor(number / records.length)], record),
              as: tokens.get(record),
            };
          });
          const { rate, cpu } = expectAll(await client.run(server.url, requests, { connections: 16 }));
          if (round === 0) continue;
          rates[workers].push(rate);
          if (workers === 2) shares.push(cpu);
        }
      } finally {
        await server.stop();
      }
    }
  } finally {
    await client.stop();
  }
  const [one, two] = [median(rates[1]), median(rates[2])];
  return [
    figure('workers', two / one, {
      goal: 1.7,
      better: 'higher',
      spread: spreadOf(rates[2], rates[1]),
      details: [
        `${short(two)} req/s against ${short(one)}; the client took ${short(median(shares) * 100)} % of one of ${cpus().length} cores`,
      ],
    }),
  ];
}
