import { beforeEach, describe, expect, it } from 'vitest';
import { openAccounts, closeRecord, type Accounts } from '../../../src/access/accounts/accounts.js';
import { EMERGENCY_LIFETIME } from '../../../src/access/accounts/care.js';
import { userRoles, type UserRole } from '../../../src/access/accounts/users.js';
import { loadSecretKey } from '../../../src/access/accounts/secret-key.js';
import {
  clinicianMode,
  clinicianModes,
  keepClinicianMode,
  type ClinicianMode,
} from '../../../src/store/disk/clinician-mode.js';
import type { DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDirectory } from './open-directory.js';

const APP = 'app@apps.example.org';

let directory: DataDirectory;
let accounts: Accounts;
let now: number;
beforeEach(async () => {
  directory = await openDirectory();
  now = Date.now();
  accounts = openAccounts(directory, await loadSecretKey(directory.dir, {}), () => now);
});

const put = (role: UserRole, records: readonly string[]): Promise<void> =>
  directory.transact((tx) => accounts.putUser(tx, { id: 'u', role, records }));
const clinicians = (mode: ClinicianMode): Promise<void> =>
  directory.transact((tx) => keepClinicianMode(tx, mode));

describe('who may open a record', () => {
  // Of a person, an emergency is left from when they were a clinician.
  const relations = ['none', 'given', 'emergency', 'emergency over', 'emergency of another record'] as const;
  const table: Record<UserRole, Record<ClinicianMode, readonly (0 | 1)[]>> = {
    //                    none given emerg. over other
    person: { all: [0, 1, 0, 0, 0], related: [0, 1, 0, 0, 0] },
    clinician: { all: [1, 1, 1, 1, 1], related: [0, 1, 1, 0, 0] },
    analyst: { all: [0, 0, 0, 0, 0], related: [0, 0, 0, 0, 0] },
    admin: { all: [0, 0, 0, 0, 0], related: [0, 0, 0, 0, 0] },
  };
  const cells = userRoles.flatMap((role) =>
    clinicianModes.flatMap((mode) =>
      relations.map((relation, at) => [role, mode, relation, table[role][mode][at] === 1] as const),
    ),
  );

  it.each(cells)('%s, clinicians open %s, relation %s: %s', async (role, mode, relation, may) => {
    await clinicians(mode);
    await put('clinician', []);
    if (relation.startsWith('emergency'))
      await accounts.openInEmergency('u', relation.endsWith('record') ? '2' : '1', 'why');
    await put(role, relation === 'given' ? ['1'] : []);
    if (relation === 'emergency over') now += EMERGENCY_LIFETIME;
    expect(accounts.mayOpen('u', '1')).toBe(may);
    expect(accounts.openRecords('u')?.includes('1') ?? true).toBe(may);
  });

  it('is nobody unknown', () => {
    expect([accounts.mayOpen('nobody', '1'), accounts.openRecords('nobody')]).toEqual([false, []]);
  });

  it('is chosen as related in a new directory', () => {
    expect(directory.read(clinicianMode)).toBe('related');
  });
});

describe('an emergency', () => {
  it('is for clinicians alone, and is listed until it is over', async () => {
    await put('person', ['1']);
    await expect(accounts.openInEmergency('u', '2', 'why')).rejects.toThrow('Only clinicians');
    await put('clinician', []);
    await accounts.openInEmergency('u', '2', 'why');
    expect(accounts.listEmergencies()).toEqual([
      { user: 'u', record: '2', reason: 'why', until: now + EMERGENCY_LIFETIME },
    ]);
    now += EMERGENCY_LIFETIME;
    expect(accounts.listEmergencies()).toEqual([]);
  });

  it('that a clock set far ahead began is over when the clock is right again', async () => {
    await put('clinician', []);
    now += 10 * EMERGENCY_LIFETIME;
    await accounts.openInEmergency('u', '2', 'why');
    now -= 10 * EMERGENCY_LIFETIME;
    expect(accounts.mayOpen('u', '2')).toBe(false);
  });

  it('ends with the record, whose id another patient may get', async () => {
    await put('clinician', []);
    await accounts.openInEmergency('u', '2', 'why');
    await directory.transact((tx) => closeRecord(tx, '2'));
    expect(accounts.mayOpen('u', '2')).toBe(false);
  });

  const end = () => directory.transact((tx) => accounts.endEmergencies(tx, 'u', ['2']));
  const pass = () => {
    now += EMERGENCY_LIFETIME;
    return Promise.resolve();
  };
  it.each([
    ['not given, then ended', [], [], end, undefined],
    ['given before, then ended', ['2'], ['2'], end, { because: 'given' }],
    ['given during it, then ended', [], ['2'], end, { because: 'given' }],
    ['not given, then over', [], [], pass, undefined],
    ['given before, then over', ['2'], ['2'], pass, { because: 'given' }],
    ['given during it, then over', [], ['2'], pass, { because: 'given' }],
  ] as const)(
    'leaves the record as open as it is without it: %s',
    async (_, before, during, finish, expected) => {
      await put('clinician', before);
      await directory.transact((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }));
      await accounts.openInEmergency('u', '2', 'why');
      const { id } = await accounts.issueToken({ app: APP, user: 'u', record: '2' });
      await put('clinician', during);
      await finish();
      const restarted = openAccounts(directory, await loadSecretKey(directory.dir, {}), () => now);
      for (const each of [accounts, restarted]) {
        expect(each.whyOpen('u', '2')).toEqual(expected);
        expect(each.isTokenUsable(id, '2')).toBe(expected !== undefined);
        expect(each.listEmergencies()).toEqual([]);
      }
    },
  );

  it('lets apps in for as long as it lasts', async () => {
    await put('clinician', []);
    await directory.transact((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }));
    const asked = { app: APP, user: 'u', record: '2' };
    await expect(accounts.issueToken(asked)).rejects.toThrow('chartgraph user grant u --record 2');
    await accounts.openInEmergency('u', '2', 'why');
    const { id } = await accounts.issueToken(asked);
    expect(accounts.isTokenUsable(id, '2')).toBe(true);
    now += EMERGENCY_LIFETIME;
    expect([accounts.isTokenAlive(id), accounts.isTokenUsable(id, '2')]).toEqual([true, false]);
  });
});
