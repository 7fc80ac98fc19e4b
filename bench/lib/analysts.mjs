// Analysts of a server: their tokens, and what they ask.
import { openAccounts, keyOf } from '../../dist/access/accounts/accounts.js';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Bearer tokens of analysts, at the de-identified level, made before or while a server runs on the directory.
 * @param allRows whether their answers are not cut
 */
export async function analystTokens(dir, people, { allRows = false } = {}) {
  const directory = await openDataDirectory(dir);
  const accounts = openAccounts(directory, keyOf(directory));
  const issued = [];
  for (const user of people) {
    await directory.transact((tx) => accounts.putUser(tx, { id: user, role: 'analyst', records: [] }));
    const order = { user, purpose: 'benchmark', isIdentified: false, allRows, lifetime: 24 * 60 * 60 * 1000 };
    issued.push((await accounts.issueAnalystToken(order)).token);
  }
  await directory.close();
  return issued;
}

/** Asks as an analyst's tool does. @returns the bytes of the answer @throws Error for a refusal */
export async function answerTo({ url, bearer }, path, accept) {
  const response = await fetch(url + path, {
    headers: { Authorization: `Bearer ${bearer}`, Accept: accept },
  });
  const body = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return body;
}

export const sparqlPath = (query) => `/sparql?query=${encodeURIComponent(query)}`;

/** Waits until the level of a token is in memory. */
export async function levelFilled({ url, bearer }) {
  const headers = { Authorization: `Bearer ${bearer}` };
  for (;;) {
    const response = await fetch(url + sparqlPath('ASK {}'), { headers });
    await response.arrayBuffer();
    if (response.status !== 503) return;
    await wait(250);
  }
}
