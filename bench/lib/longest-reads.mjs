// A record with much of everything that is read back: statements, history, who looked at it, a long file.
import { randomBytes } from 'node:crypto';
import { openAccessLog } from '../../dist/access/log/access-log.js';
import { openAccounts } from '../../dist/access/accounts/accounts.js';
import { hashNewPassword } from '../../dist/access/accounts/passwords.js';
import { loadSecretKey } from '../../dist/access/accounts/secret-key.js';
import { literal, namedNode, quad } from '../../dist/rdf/terms.js';
import { cg, dcterms, rdf, sp, xsd } from '../../dist/rdf/vocabulary.js';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { openDocumentStore } from '../../dist/store/documents/document-files.js';
import { openPrimaryStore } from '../../dist/store/primary-store.js';
import { base, longRecords } from './data.mjs';

const STATEMENTS = 2540;
const CHANGES = 2500;
/** As many entries as the segment of the log that is open holds. */
const ENTRIES = 30_000;
const FILE_BYTES = 30 * 1024 * 1024;
const PASSWORD = 'a long bench password';
const USER = 'bench-person';
const ADMIN = 'bench-admin';
const USERS = 2000;

/** Makes the record, and whom it was given to. @returns { dir, record, document, user, admin, password } */
export async function longestRecord() {
  const { dir, records } = await longRecords(1, STATEMENTS);
  const [record] = records;
  const directory = await openDataDirectory(dir);
  const accounts = openAccounts(directory, await loadSecretKey(dir, {}));
  const passwordHash = await hashNewPassword(USER, PASSWORD);
  await directory.transact((tx) => {
    accounts.putUser(tx, { id: USER, role: 'person', records: [record], passwordHash });
    for (let number = 0; number < USERS; number++)
      accounts.putUser(tx, { id: `user-${number}`, role: 'person', records: [] });
  });
  // A hash is bound to the name that it was made for.
  const adminHash = await hashNewPassword(ADMIN, PASSWORD);
  await directory.transact((tx) =>
    accounts.putUser(tx, { id: ADMIN, role: 'admin', records: [], passwordHash: adminHash }),
  );
  const document = `/records/${record}/documents/long`;
  const key = await openDocumentStore(directory).put([randomBytes(FILE_BYTES)]);
  const primary = openPrimaryStore(directory, base);
  await primary.write({ replace: [documentGraph(record, document, key)] });
  for (let number = 0; number < CHANGES; number += 100) {
    const some = Array.from({ length: 100 }, (_, index) =>
      noteGraph(record, (number + index) % 1000, number),
    );
    await Promise.all(some.map((graph) => primary.write({ replace: [graph] })));
  }
  await directory.close();
  await fillLog(dir, record);
  return { dir, record, document, user: USER, admin: ADMIN, password: PASSWORD };
}

function graphOf(record, path, properties) {
  const subject = namedNode(base + path);
  const all = { [sp.belongsTo]: namedNode(`${base}/records/${record}`), ...properties };
  const quads = Object.entries(all).map(([property, value]) => quad(subject, namedNode(property), value));
  return { name: subject.value, quads };
}

function documentGraph(record, path, { sha256, size }) {
  return graphOf(record, path, {
    [rdf.type]: namedNode(sp.Document),
    [dcterms.title]: literal('A long file'),
    [dcterms.date]: literal('2020-01-01'),
    [sp.fileName]: literal('long.bin'),
    [dcterms.format]: namedNode('http://purl.org/NET/mediatypes/application/octet-stream'),
    [cg.sha256]: literal(sha256),
    [cg.byteSize]: literal(String(size), namedNode(xsd.integer)),
  });
}

function noteGraph(record, number, round) {
  return graphOf(record, `/records/${record}/clinical_notes/n${number}`, {
    [rdf.type]: namedNode(sp.ClinicalNote),
    [dcterms.title]: literal(`Note ${number}, ${round}`),
    [dcterms.date]: literal('2020-01-01'),
  });
}

/** Every fifth entry is about the record; most of those are refusals. */
async function fillLog(dir, record) {
  const log = await openAccessLog(dir);
  const entry = (number) => ({
    action: 'read',
    outcome: number % 100 === 0 ? 'done' : 'refused',
    status: number % 100 === 0 ? 200 : 403,
    app: 'another@apps.example.org',
    user: 'another',
    record: number % 5 === 0 ? record : String(4_000_000 + number),
    address: '192.0.2.7',
    requestId: String(number),
  });
  for (let number = 0; number < ENTRIES; number += 100)
    await Promise.all(Array.from({ length: 100 }, (_, index) => log.record(entry(number + index))));
  await log.close();
}
