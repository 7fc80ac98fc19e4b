import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openAccounts, keyOf } from '../../src/access/accounts/accounts.js';
import { EMERGENCY_LIFETIME } from '../../src/access/accounts/care.js';
import { isIndexed } from '../../src/access/accounts/care-index.js';
import { changeUser } from '../../src/records/registry.js';
import { keepClinicianMode, type ClinicianMode } from '../../src/store/disk/clinician-mode.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { encounterGraph } from '../setup/encounter-graph.js';
import type { Credentials } from './container.js';
import { startFlowContainer, UI_APP, type FlowContainer } from './oauth/flow-container.js';
import type { PlainBrowser } from './oauth/plain-browser.js';

const RECORD = '1000002';
const FAMILY = 'Wrenfield';

let container: FlowContainer;
const browsers = new Map<string, PlainBrowser>();
const browserOf = (user: string): PlainBrowser => browsers.get(user) ?? expect.fail(user);
beforeAll(async () => {
  container = await startFlowContainer({
    clinicians: 'related',
    containerAccess: 'signed',
    senderBudget: 1000,
  });
  for (const user of ['clinician', 'person', 'admin', 'analyst'])
    browsers.set(user, await container.browser(user));
});
afterAll(() => container.stop());

const clinicians = (mode: ClinicianMode): Promise<void> =>
  container.directory.transact((tx) => keepClinicianMode(tx, mode));

async function give(user: string, records: readonly string[]): Promise<void> {
  const { directory, accounts, url: base } = container;
  const less = accounts.listEmergencies().flatMap((each) => (each.user === user ? [each.record] : []));
  const primary = openPrimaryStore(directory, base);
  await changeUser({ directory, primary, base, accounts }, user, {
    ...{ records: [...less, ...records], less },
    practitioner: '',
  });
}

/** What a user has in their hands; a token that was never issued, or was ended, is undefined. */
interface Hands {
  readonly browser: PlainBrowser;
  readonly signed?: Credentials | undefined;
  readonly bearer?: string | undefined;
}

const NPI = '1234567893';
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function link(user: string, practitioner: string): Promise<void> {
  const { directory, accounts, url: base } = container;
  const primary = openPrimaryStore(directory, base);
  await changeUser({ directory, primary, base, accounts }, user, { practitioner });
}

/** Writes an encounter of the record. @param isIndexed whether to wait until the index has it */
async function meet(
  { npi = NPI, ...times }: { start: string; end?: string; npi?: string },
  isAwaited = true,
): Promise<void> {
  const { directory, url: base } = container;
  const graph = encounterGraph(`${base}/records/${RECORD}`, { npi, ...times });
  await openPrimaryStore(directory, base).write({ replace: [graph] });
  if (isAwaited)
    await vi.waitFor(() => expect(directory.read((tx) => isIndexed(tx, RECORD))).toBe(true), {
      timeout: 5000,
    });
}

async function tokensOf(user: string): Promise<Omit<Hands, 'browser'>> {
  const { accounts, directory } = container;
  const asked = { app: UI_APP, user, record: RECORD };
  const { token } = await directory.transact((tx) =>
    accounts.putBearer(tx, { ...asked, scope: 'patient/*.rs' }),
  );
  return { signed: await container.token(RECORD, UI_APP, user), bearer: token };
}

const relations: Record<string, (user: string) => Promise<Omit<Hands, 'browser'>>> = {
  none: async (user) => {
    await give(user, []);
    return {};
  },
  'taken away': async (user) => {
    await give(user, [RECORD]);
    const tokens = await tokensOf(user);
    await give(user, []);
    return tokens;
  },
  given: async (user) => {
    await give(user, [RECORD]);
    return tokensOf(user);
  },
  emergency: async (user) => {
    await give(user, []);
    await container.accounts.openInEmergency(user, RECORD, 'why');
    return tokensOf(user);
  },
  'emergency over': async (user) => {
    const tokens = await relations['emergency']?.(user);
    const { directory } = container;
    const before = openAccounts(directory, keyOf(directory), () => Date.now() - EMERGENCY_LIFETIME);
    await before.openInEmergency(user, RECORD, 'why');
    return tokens ?? {};
  },
  'in data': async (user) => {
    await give(user, []);
    await link(user, NPI);
    await meet({ start: daysAgo(3) });
    expect(container.accounts.mayOpen(user, RECORD)).toBe(true);
    return tokensOf(user);
  },
  'in data of another': async (user) => {
    const tokens = await relations['in data']?.(user);
    await meet({ start: daysAgo(3), npi: '1999999999' });
    return tokens ?? {};
  },
  'in data long ago': async (user) => {
    const tokens = await relations['in data']?.(user);
    await meet({ start: daysAgo(200), end: daysAgo(92) });
    return tokens ?? {};
  },
  'in data not indexed yet': async (user) => {
    const tokens = await relations['in data']?.(user);
    // As a gateway leaves it that begins with another model: nobody fills it until it leads.
    await container.directory.transact((tx) => {
      tx.put('care', 'digest', 'of another model');
    });
    await meet({ start: daysAgo(2) }, false);
    return tokens ?? {};
  },
  'every record': async (user) => {
    await give(user, []);
    await clinicians('all');
    return tokensOf(user);
  },
};

const page =
  (path: string) =>
  async ({ browser }: Hands): Promise<number> =>
    (await browser.open(path)).status;
const called =
  (path: string, headers: Record<string, string> = {}) =>
  async ({ signed }: Hands): Promise<number> => {
    const response = await container.request(path, { as: signed, headers });
    await response.body?.cancel();
    return response.status;
  };
/** 1 where the patient is named. */
const named = (text: string): number => Number(text.includes(FAMILY));

const doors: Record<string, (hands: Hands) => Promise<number>> = {
  call: called(`/records/${RECORD}/problems/`),
  'call of one': called(`/records/${RECORD}/demographics`),
  'changes as a stream': called(`/records/${RECORD}/changes`, { Accept: 'text/event-stream' }),
  'search by an app': async ({ signed }) =>
    named(await (await container.request(`/records/search?given_name=Tobias`, { as: signed })).text()),
  FHIR: async ({ bearer }) =>
    (await container.request('/fhir/Patient', { headers: { Authorization: `Bearer ${bearer ?? 'x'}` } }))
      .status,
  overview: page(`/account/records/${RECORD}`),
  trends: page(`/account/trends/${RECORD}`),
  'list of statements': page(`/account/records/${RECORD}/problems/`),
  'form for notes': page(`/account/notes/${RECORD}`),
  download: page(`/account/exports/${RECORD}`),
  'who looked': page(`/account/accesses/${RECORD}`),
  explanation: page(`/records/${RECORD}/problems/?explain`),
  launch: page(`/apps/${UI_APP}/launch?record_id=${RECORD}`),
  consent: async ({ browser }) => {
    const { oauth_token: token = '' } = await container.requestToken(UI_APP, RECORD);
    return (await browser.open(container.authorizeUrl(token))).status;
  },
  'search page': async ({ browser }) => named((await browser.open(`/account?given_name=Tobias`)).html),
  'search by number': async ({ browser }) =>
    named((await browser.open(`/account?medical_record_number=${RECORD}`)).html),
};

const columns = [
  ...['person none', 'person taken away', 'person given'],
  ...['clinician none', 'clinician taken away', 'clinician given', 'clinician emergency'],
  ...['clinician emergency over', 'clinician in data', 'clinician in data of another'],
  ...['clinician in data long ago', 'clinician in data not indexed yet'],
  ...['clinician every record', 'admin none', 'analyst none'],
];

// What each door answers, or whether it names the patient. A relation that is taken away ends its tokens, so they get
// 401; those of an emergency, or of what the data says, outlive it, and get 403.
// prettier-ignore
const table: Record<keyof typeof doors, readonly number[]> = {
  //                      person          clinician                                          admin analyst
  //                      none tak. given none tak. given emer over data other old new  all
  call:                  [401, 401, 200,  401, 401, 200, 200, 403, 200, 403, 403, 403, 200,  401, 401],
  'call of one':         [401, 401, 200,  401, 401, 200, 200, 403, 200, 403, 403, 403, 200,  401, 401],
  'changes as a stream': [401, 401, 200,  401, 401, 200, 200, 403, 200, 403, 403, 403, 200,  401, 401],
  'search by an app':    [0,   0,   1,    0,   0,   1,   1,   0,   1,   0,   0,   0,   1,    0,   0],
  FHIR:                  [401, 401, 200,  401, 401, 200, 200, 403, 200, 403, 403, 403, 200,  401, 401],
  overview:              [404, 404, 200,  403, 403, 200, 200, 403, 200, 403, 403, 403, 200,  403, 404],
  trends:                [404, 404, 200,  403, 403, 200, 200, 403, 200, 403, 403, 403, 200,  403, 404],
  'list of statements':  [404, 404, 200,  403, 403, 200, 200, 403, 200, 403, 403, 403, 200,  403, 404],
  'form for notes':      [404, 404, 200,  403, 403, 200, 200, 403, 200, 403, 403, 403, 200,  403, 404],
  download:              [404, 404, 200,  403, 403, 200, 200, 403, 200, 403, 403, 403, 200,  403, 404],
  'who looked':          [404, 404, 200,  403, 403, 403, 403, 403, 403, 403, 403, 403, 403,  200, 404],
  explanation:           [403, 403, 200,  403, 403, 200, 200, 403, 200, 403, 403, 403, 200,  200, 403],
  launch:                [403, 403, 302,  403, 403, 302, 302, 403, 302, 403, 403, 403, 302,  403, 403],
  consent:               [403, 403, 200,  403, 403, 200, 200, 403, 200, 403, 403, 403, 200,  403, 403],
  'search page':         [0,   0,   1,    0,   0,   1,   1,   0,   1,   0,   0,   0,   1,    0,   0],
  'search by number':    [0,   0,   1,    0,   0,   1,   1,   0,   1,   0,   0,   0,   1,    0,   0],
};

describe('says why the record is open, to the reader alone', () => {
  const said = async (user: string, relation: string): Promise<string> => {
    await relations[relation]?.(user);
    const { html } = await browserOf(user).open(`/account/records/${RECORD}`);
    return /(?<=class="[^"]*why[^"]*">)[^<]*/u.exec(html)?.[0] ?? '';
  };
  const days = (count: number): string => new Date(Date.now() + count * 86_400_000).getUTCDate().toString();

  it('to clinicians', async () => {
    await clinicians('related');
    expect(await said('clinician', 'given')).toBe(
      'You may open this record because you were given access to it.',
    );
    expect(await said('clinician', 'emergency')).toMatch(
      /^You may open this record until \d+ \w+ \d+, \d\d:\d\d UTC because you opened it in an emergency\.$/u,
    );
    expect(await said('clinician', 'in data')).toMatch(
      // Until the end of the day.
      new RegExp(`until (?:${days(87)}|${days(88)}) \\w+ \\d+ because it says that you give care to`, 'u'),
    );
    await clinicians('all');
    expect(await said('clinician', 'none')).toContain('because clinicians here may open every record.');
    await clinicians('related');
  });

  it('to administrators, but to nobody whose record it is', async () => {
    expect(await said('person', 'given')).toBe('');
    const { html } = await browserOf('admin').open(`/account/accesses/${RECORD}`);
    expect(html).toContain('because you are an administrator. The record itself is not open to you.');
  });
});

describe.each(columns.map((column, at) => [column, at] as const))('%s', (column, at) => {
  const [, user = '', relation = ''] = /^(\w+) (.*)$/.exec(column) ?? [];
  let hands: Hands;
  beforeAll(async () => {
    await clinicians('related');
    hands = { browser: browserOf(user), ...(await (relations[relation] ?? expect.fail(relation))(user)) };
  });
  it.each(Object.keys(doors))('%s', async (door) => {
    expect(await doors[door]?.(hands)).toBe(table[door]?.[at]);
  });
});

it('has a table for each door', () => {
  expect(Object.keys(table)).toEqual(Object.keys(doors));
  for (const row of Object.values(table)) expect(row).toHaveLength(columns.length);
});
