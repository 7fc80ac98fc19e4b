import { describe, expect, test } from 'vitest';
import type { RecordedEntry } from '../../../src/access/log/access-entry.js';
import { auditEvent } from '../../../src/access/log/audit-event.js';

const container = { base: 'https://records.example.org', chain: 'abc' };
const entry = { number: 7, time: '2026-01-31T08:00:00.000Z', outcome: 'done' } as const;
const eventOf = (more: Pick<RecordedEntry, 'action'> & Partial<RecordedEntry>): object =>
  auditEvent({ ...entry, ...more }, container);
const user = (value: string) => ({ system: 'https://records.example.org/users/', value });

describe('an entry as an AuditEvent', () => {
  test('says who, from where, what, of whom, and which entry it is', () => {
    expect(
      eventOf({
        action: 'read',
        user: 'clinician',
        app: 'a@b',
        tokenId: 't 1',
        record: '42',
        resource: '/records/42/problems',
        call: 'urn:call',
        address: '10.0.0.1',
        status: 200,
      }),
    ).toEqual({
      resourceType: 'AuditEvent',
      type: expect.objectContaining({ code: 'rest' }),
      subtype: [expect.objectContaining({ code: 'read' })],
      action: 'R',
      recorded: entry.time,
      outcome: '0',
      outcomeDesc: 'done',
      agent: [
        {
          who: { identifier: user('clinician') },
          requestor: true,
          network: { address: '10.0.0.1', type: '2' },
          policy: ['urn:chartgraph:access:token:t%201'],
        },
        {
          type: { coding: [expect.objectContaining({ code: '110153' })] },
          who: { identifier: { system: 'https://records.example.org/apps/', value: 'a@b' } },
          requestor: false,
        },
      ],
      source: {
        site: container.base,
        observer: {
          identifier: { system: 'urn:chartgraph:access:chain', value: 'abc' },
          display: 'Chartgraph',
        },
        type: [expect.objectContaining({ code: '4' })],
      },
      entity: [
        expect.objectContaining({
          what: { identifier: { value: 'https://records.example.org/records/42/problems' } },
          detail: [
            { type: 'number', valueString: '7' },
            { type: 'action', valueString: 'read' },
            { type: 'call', valueString: 'urn:call' },
            { type: 'status', valueString: '200' },
          ],
        }),
        expect.objectContaining({
          what: {
            type: 'Patient',
            identifier: { system: 'https://records.example.org/records/', value: '42' },
          },
        }),
      ],
    });
  });

  test.each([
    ['what was refused', { outcome: 'refused' }, '4'],
    ['what failed', { outcome: 'failed' }, '8'],
    ['what has only begun', { outcome: 'begun' }, undefined],
  ] as const)('%s has its outcome', (_name, { outcome }, expected) => {
    expect(eventOf({ action: 'write', outcome })).toMatchObject({ action: 'U', outcomeDesc: outcome });
    expect((eventOf({ action: 'write', outcome }) as { outcome?: string }).outcome).toBe(expected);
  });

  test('who was written about is no agent', () => {
    for (const actor of [{ account: 'root' }, { reason: 'by root' }])
      expect(eventOf({ action: 'user add', user: 'new', ...actor })).toMatchObject({
        type: { code: '110100' },
        action: 'E',
        agent: [{ who: { identifier: { value: 'root' } }, requestor: true }],
        entity: [{}, { what: { identifier: user('new') }, role: { code: '11' } }],
      });
  });

  test('an emergency is an alert, with the reason that was given', () => {
    const event = { action: 'emergency.opened', user: 'dr', record: '42', purpose: 'collapsed' };
    expect(eventOf(event)).toMatchObject({
      type: { code: '110113' },
      subtype: [{ code: '110127' }],
      purposeOfEvent: [{ coding: [{ code: 'BTG' }], text: 'collapsed' }],
      entity: [{}, { what: { identifier: { value: '42' } } }],
    });
  });

  test('a query is there as it was asked, with its purpose', () => {
    expect(
      eventOf({ action: 'query', user: 'ana', purpose: 'audit of care', query: 'ASK {}' }),
    ).toMatchObject({
      type: { code: '110112' },
      purposeOfEvent: [{ text: 'audit of care' }],
      entity: [{}, { role: { code: '24' }, query: Buffer.from('ASK {}').toString('base64') }],
    });
  });
});
