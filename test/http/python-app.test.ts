import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { canImport } from './can-import.js';
import { startTestContainer } from './container.js';

it.skipIf(!canImport('requests_oauthlib'))(
  'the example in Python reads problems, and posts a note that counts them',
  async () => {
    const container = await startTestContainer();
    try {
      const { consumerKey, consumerSecret, token, tokenSecret } = await container.token('1000001');
      const issued = {
        consumer_key: consumerKey,
        consumer_secret: consumerSecret,
        oauth_token: token,
        oauth_token_secret: tokenSecret,
        record_id: '1000001',
      };
      const file = join(container.data, 'token.json');
      await writeFile(file, JSON.stringify(issued));
      const script = resolve(import.meta.dirname, '..', '..', 'examples', 'write_note.py');
      const { stdout } = await promisify(execFile)('python3', [script, container.url, file]);
      expect(stdout).toMatch(/^[1-9]\d* problems; the note is http\S+\/clinical_notes\/\S+\n$/u);
    } finally {
      await container.stop();
    }
  },
);
