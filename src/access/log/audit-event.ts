import { accessUrn, accountUrn, auditCodes } from '../../rdf/vocabulary.js';
import { administratorOf, type Outcome, type RecordedEntry } from './access-entry.js';

interface Coding {
  readonly system: string;
  readonly code: string;
  readonly display?: string;
}

const coding = (system: string, code: string, display: string): Coding => ({ system, code, display });
const dicom = (code: string, display: string): Coding => coding(auditCodes.dicom, code, display);

interface Kind {
  readonly type: Coding;
  readonly subtype?: Coding;
  readonly action: 'R' | 'U' | 'D' | 'E';
}

const rest = coding(auditCodes.type, 'rest', 'RESTful Operation');
const signIn: Kind = {
  type: dicom('110114', 'User Authentication'),
  subtype: dicom('110122', 'Login'),
  action: 'E',
};
const kinds: Readonly<Record<string, Kind>> = {
  read: { type: rest, subtype: coding(auditCodes.interaction, 'read', 'read'), action: 'R' },
  write: { type: rest, subtype: coding(auditCodes.interaction, 'update', 'update'), action: 'U' },
  remove: { type: rest, subtype: coding(auditCodes.interaction, 'delete', 'delete'), action: 'D' },
  query: { type: dicom('110112', 'Query'), action: 'E' },
  export: { type: dicom('110106', 'Export'), action: 'R' },
  'sign-in.accepted': signIn,
  'sign-in.refused': signIn,
  'sign-in.throttled': signIn,
};
const other: Kind = { type: dicom('110100', 'Application Activity'), action: 'E' };

/** What was begun has another event that says how it ended. */
const outcomes: Readonly<Record<Outcome, string | undefined>> = {
  begun: undefined,
  done: '0',
  refused: '4',
  failed: '8',
};

/**
 * Describes an entry as a FHIR R4 AuditEvent, as IHE's Basic Audit Log Patterns have it: who, from where, what, of which
 * patient. The number of the entry in the chain is a detail of an entity, so that a gap is seen.
 * @param base of the container, without a slash at the end @param chain which log it is
 */
export function auditEvent(entry: RecordedEntry, { base, chain }: { base: string; chain: string }): object {
  const { type, subtype, action } = kinds[entry.action] ?? other;
  const { time, outcome, reason, purpose } = entry;
  return {
    resourceType: 'AuditEvent',
    type,
    ...(subtype && { subtype: [subtype] }),
    action,
    recorded: time,
    ...(outcomes[outcome] !== undefined && { outcome: outcomes[outcome] }),
    outcomeDesc: [outcome, reason].filter((text) => text !== undefined).join(': '),
    ...(purpose !== undefined && { purposeOfEvent: [{ text: purpose }] }),
    agent: agentsOf(entry, base),
    source: {
      site: base,
      observer: { identifier: { system: `${accessUrn}chain`, value: chain }, display: 'Chartgraph' },
      type: [coding(auditCodes.source, '4', 'Application Server')],
    },
    entity: entitiesOf(entry, base),
  };
}

/** The one who acted comes first, and is the requestor; the others are named beside. */
function agentsOf(entry: RecordedEntry, base: string): object[] {
  const { user, app, account, onBehalfOf, address, tokenId } = entry;
  const administrator = administratorOf(entry);
  const who = (kind: string, id: string | undefined) =>
    id !== undefined && { system: `${base}/${kind}/`, value: id };
  const acted =
    account === undefined ? who('users', administrator ?? user) : { system: accountUrn, value: account };
  const source = dicom('110153', 'Source Role ID');
  const people = [acted, who('users', onBehalfOf)].filter((found) => found !== false);
  const software = who('apps', app);
  const agents = [
    ...people.map((identifier) => ({ who: { identifier } })),
    ...(software ? [{ type: { coding: [source] }, who: { identifier: software } }] : []),
  ];
  if (agents.length === 0) agents.push({ who: { identifier: { system: accountUrn, value: 'unknown' } } });
  return agents.map((agent, at) => ({
    ...agent,
    requestor: at === 0,
    ...(at === 0 && address !== undefined && { network: { address, type: '2' } }),
    ...(at === 0 &&
      tokenId !== undefined && { policy: [`${accessUrn}token:${encodeURIComponent(tokenId)}`] }),
  }));
}

function entitiesOf(entry: RecordedEntry, base: string): object[] {
  const { record, resource, query, user, account } = entry;
  const entityType = (code: string, display: string) => coding(auditCodes.entityType, code, display);
  const role = (code: string, display: string) => coding(auditCodes.objectRole, code, display);
  const isAbout = user !== undefined && (account !== undefined || administratorOf(entry) !== undefined);
  return [
    {
      what: { identifier: { value: resource === undefined ? entry.action : base + resource } },
      type: entityType('2', 'System Object'),
      role: role('4', 'Domain Resource'),
      detail: details(entry),
    },
    ...(record === undefined
      ? []
      : [
          {
            what: { type: 'Patient', identifier: { system: `${base}/records/`, value: record } },
            type: entityType('1', 'Person'),
            role: role('1', 'Patient'),
          },
        ]),
    ...(isAbout
      ? [
          {
            what: { identifier: { system: `${base}/users/`, value: user } },
            type: entityType('1', 'Person'),
            role: role('11', 'Security User Entity'),
          },
        ]
      : []),
    ...(query === undefined
      ? []
      : [
          {
            type: entityType('2', 'System Object'),
            role: role('24', 'Query'),
            query: Buffer.from(query).toString('base64'),
          },
        ]),
  ];
}

function details({
  number,
  action,
  call,
  level,
  to,
  rows,
  status,
  revision,
  requestId,
  dropped,
}: RecordedEntry) {
  const told = {
    number,
    action,
    call,
    level,
    to,
    rows,
    status,
    revision,
    requestId,
    droppedThrough: dropped?.through,
  };
  return Object.entries(told).flatMap(([type, value]) =>
    value === undefined ? [] : [{ type, valueString: String(value) }],
  );
}
