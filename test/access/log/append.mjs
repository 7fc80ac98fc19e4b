// Records entries until it is killed, several in a turn, and says of each that it was acknowledged.
import { writeSync } from 'node:fs';
import { openAccessLog } from '../../../dist/access/log/access-log.js';

const [, , dir, name, count = 'Infinity', bytes = '65536'] = process.argv;
const log = await openAccessLog(dir, { limits: { bytes: Number(bytes) } });
for (let number = 0; number < Number(count);) {
  const turn = Array.from({ length: 1 + (number % 5) }, () => `${name}-${number++}`);
  await Promise.all(
    turn.map(async (requestId) => {
      await log.record({ action: 'read', outcome: 'done', record: '1', requestId });
      writeSync(1, `${requestId}\n`);
    }),
  );
}
await log.close();
