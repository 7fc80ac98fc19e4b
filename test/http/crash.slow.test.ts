import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openAccounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../src/store/documents/document-files.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { prefixes } from '../../src/rdf/vocabulary.js';
import { referencedContents } from '../../src/records/documents/content-key.js';
import { temporaryFolder } from '../store/disk/temporary.js';
import type { Credentials } from './container.js';

const root = resolve(import.meta.dirname, '..', '..');
const program = join(root, 'dist', 'cli', 'chartgraph.js');
const APP = 'demo-ui@apps.example.org';
const header = Object.entries(prefixes).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`);

async function serve(data: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--analysts', 'off', '--data', data],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /ready at (\S+)/.exec(output.toString())?.[1];
  if (url === undefined) throw new Error(`the server said ${output.toString()}`);
  return { child, url };
}

async function issue(data: string): Promise<Credentials> {
  const directory = await openDataDirectory(data);
  const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
  const { token, secret } = await accounts.issueToken({ app: APP, user: 'clinician', record: '1000001' });
  const consumerSecret = directory.read((tx) => accounts.appCredentials(tx, APP)?.secret ?? '');
  await directory.close();
  return { consumerKey: APP, consumerSecret, token, tokenSecret: secret };
}

function request(url: string, method: string, as: Credentials, body?: string): Promise<Response> {
  const Authorization = signRequest({ method, url, ...as });
  return fetch(url, {
    method,
    headers: { Authorization, 'Content-Type': method === 'POST' ? 'text/turtle' : 'text/plain' },
    body: body ?? null,
  });
}

const note = (text: string): string => `${header.join('')}[] a sp:ClinicalNote ; dcterms:date "2024" ;
  sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "${text}" ] ] ;
  dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

it('what was answered is there after the server was killed: notes and scratchpads', async () => {
  const data = join(await temporaryFolder(), 'data');
  const noted: string[] = [];
  let lastBlob = 0;
  let as: Credentials | undefined;
  for (let round = 0; round < 4; round++) {
    const { child, url } = await serve(data);
    as ??= await issue(data);
    const own = as;
    const scratchpad = `${url}/records/1000001/apps/${APP}/scratchpad`;
    for (const path of noted) {
      expect((await request(url + path, 'GET', own)).status).toBe(200);
    }
    if (lastBlob > 0) {
      // One more may have been stored without anybody having been told.
      expect(Number(await (await request(scratchpad, 'GET', own)).text())).toBeGreaterThanOrEqual(lastBlob);
    }
    let isKilled = false;
    const notes = async (): Promise<void> => {
      for (let number = 0; ; number++) {
        const response = await request(
          `${url}/records/1000001/clinical_notes/`,
          'POST',
          own,
          note(`${number}`),
        );
        // A worker whose server is gone may still say that it is closing.
        if (isKilled && response.status === 503) return;
        expect(response.status).toBe(200);
        noted.push((response.headers.get('Location') ?? '').slice(url.length));
      }
    };
    const blobs = async (): Promise<void> => {
      for (;;) {
        const next = lastBlob + 1;
        const response = await request(scratchpad, 'PUT', own, String(next));
        if (isKilled && response.status === 503) return;
        expect(await response.text()).toBe(String(next));
        lastBlob = next;
      }
    };
    const [notesBefore, blobsBefore] = [noted.length, lastBlob];
    const writers = Promise.allSettled([notes(), blobs()]);
    // Some of both are answered, however slow the machine is.
    const areWriting = (): boolean => noted.length > notesBefore + 1 && lastBlob > blobsBefore + 1;
    await Promise.race([writers, expect.poll(areWriting, { interval: 10 }).toBe(true)]);
    await wait(Math.random() * 400);
    isKilled = true;
    child.kill('SIGKILL');
    for (const outcome of await writers) {
      if (outcome.status === 'rejected') expect((outcome.reason as Error).name).toBe('TypeError');
    }
  }
  expect(noted.length).toBeGreaterThan(4);
  expect(lastBlob).toBeGreaterThan(4);
});

it('no graph refers to a file that is not there or not whole, whenever a load was killed', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const documents = join(folder, 'files');
  await mkdir(documents);
  let found = 0;
  for (let round = 0; round < 8; round++) {
    const names = Array.from({ length: 30 }, (_, number) => `${round}-${number}.txt`);
    for (const name of names) await writeFile(join(documents, name), `${name} `.repeat(20_000));
    const turtle = names.map(
      (name) => `[] a sp:Document ; dcterms:date "2024" ; sp:fileName "${name}" ; dcterms:format <urn:x> .`,
    );
    const file = join(folder, `${round}.ttl`);
    await writeFile(file, header.join('') + turtle.join('\n'));
    const child = spawn(process.execPath, [program, 'load', file, '--data', data, '--documents', documents], {
      cwd: root,
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    await Promise.race([wait(round === 7 ? 60_000 : 400 + Math.random() * 900), closed]);
    child.kill('SIGKILL');
    await closed;
    const directory = await openDataDirectory(data, { create: true });
    const store = openDocumentStore(directory);
    for (const sha256 of directory.read(referencedContents)) {
      const size = directory.read((tx) =>
        sizeOf(
          [...tx.range('graphs')].map(({ value }) => String(value)),
          sha256,
        ),
      );
      await store.read({ sha256, size });
      found++;
    }
    await directory.close();
  }
  expect(found).toBeGreaterThanOrEqual(30);
});

function sizeOf(texts: readonly string[], sha256: string): number {
  const text = texts.find((each) => each.includes(sha256)) ?? '';
  return Number(/byteSize> "(\d+)"/.exec(text)?.[1]);
}
