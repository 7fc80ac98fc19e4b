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
const emergency: Kind = {
  type: dicom('110113', 'Security Alert'),
  subtype: dicom('110127', 'Emergency Override Started'),
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
  'emergency.opened': emergency,
  'emergency.refused': emergency,
};
const breakTheGlass = coding(auditCodes.reason, 'BTG', 'break the glass');
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
    ...(purpose !== undefined && {
      purposeOfEvent: [{ ...(type === emergency.type && { coding: [breakTheGlass] }), text: purpose }],
    }),
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
  const isAbout = user !== undefined && (account !== undefined || administratorOf(entry) !== undefined);
  return [
    {
      ...ofThing('4', 'Domain Resource'),
      what: { identifier: { value: resource === undefined ? entry.action : base + resource } },
      detail: details(entry),
    },
    record !== undefined && {
      ...ofPerson('1', 'Patient'),
      what: { type: 'Patient', identifier: { system: `${base}/records/`, value: record } },
    },
    isAbout && {
      ...ofPerson('11', 'Security User Entity'),
      what: { identifier: { system: `${base}/users/`, value: user } },
    },
    query !== undefined && { ...ofThing('24', 'Query'), query: Buffer.from(query).toString('base64') },
  ].filter((entity) => entity !== false);
}

const ofKind = (type: Coding) => (code: string, display: string) => ({
  type,
  role: coding(auditCodes.objectRole, code, display),
});
const ofThing = ofKind(coding(auditCodes.entityType, '2', 'System Object'));
const ofPerson = ofKind(coding(auditCodes.entityType, '1', 'Person'));

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
