import { classAllowing } from '../access/oauth/listed-calls.js';
import type { ClosedTo } from '../access/accounts/closed-classes.js';
import type { Accounts } from '../access/accounts/accounts.js';
import { AccountError } from '../access/accounts/account-ids.js';
import { isAboutData } from '../model/ontology/answer-forms.js';
import { pathsOf } from '../model/ontology/call-facts.js';
import { isA, type ClassModel, type Ontology } from '../model/ontology/model.js';
import { isAtOrBelow, PathTemplate } from '../model/ontology/path-template.js';
import { LogWriter } from '../store/change-log.js';
import type { HiddenPaths } from '../store/hidden-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { pathsIn } from '../store/stored-graphs.js';
import { recordPart } from './record-partition.js';
import { recordIri } from './resource-paths.js';

type Classes = Pick<Ontology, 'classes'>;

/**
 * Returns the classes of a record that can be closed: those of statements that calls about a record read. What tells
 * whose record it is, which searches show, cannot.
 */
export function closableClasses(ontology: Pick<Ontology, 'classes' | 'calls'>): ClassModel[] {
  const { calls, classes } = ontology;
  const isRead = ({ iri }: ClassModel): boolean =>
    calls.some(
      (call) =>
        call.method === 'GET' &&
        call.scope === 'record' &&
        isAboutData(call) &&
        classAllowing(ontology, call) === iri,
    );
  const isShown = ({ iri }: ClassModel): boolean =>
    calls.some(({ scope, target }) => scope === 'container' && target === iri);
  return [...classes.values()].filter(
    (model) => model.kind === 'statement' && isRead(model) && !isShown(model),
  );
}

/** Returns the places in a record of the statements of classes, with those that are kept in their stead. */
export function placesOfClasses(ontology: Classes, iris: readonly string[], record: string): string[] {
  const { classes } = ontology;
  const instead = [...classes.values()].filter(
    ({ insteadOf }) => insteadOf !== undefined && iris.some((iri) => isA({ classes }, insteadOf, iri)),
  );
  const all = [...iris, ...instead.map(({ iri }) => iri)].flatMap((iri) => pathsOf({ classes }, iri));
  return [...new Set(all.map((path) => PathTemplate.of(path).prefix({ record_id: record })))];
}

/** Returns the classes that close with one, and those that stay open and are linked with it: they may say the same. */
export function besideClosed(
  ontology: Pick<Ontology, 'classes' | 'calls'>,
  model: ClassModel,
): { readonly closed: readonly ClassModel[]; readonly linked: readonly ClassModel[] } {
  const places = placesOfClasses(ontology, [model.iri], ':');
  const links = ({ rules }: ClassModel, { iri }: ClassModel): boolean =>
    [...rules.values()].some(({ classes }) => classes.includes(iri));
  const others = closableClasses(ontology).filter(({ iri }) => iri !== model.iri);
  const closed = others.filter(({ iri }) =>
    placesOfClasses(ontology, [iri], ':').every((place) => places.includes(place)),
  );
  const linked = others.filter(
    (each) => !closed.includes(each) && (links(each, model) || links(model, each)),
  );
  return { closed, linked };
}

/** Hides some places of a record. */
export function hidingPlaces(record: string, places: readonly string[]): HiddenPaths {
  const part = recordPart(record);
  return {
    name: ['without', ...places],
    hides: (path) => places.some((place) => isAtOrBelow(path, place)),
    isAbove: (path) => isAtOrBelow(path, part) && places.some((place) => isAtOrBelow(place, path)),
  };
}

export interface Closing {
  readonly record: string;
  /** IRIs of classes. */
  readonly classes: readonly string[];
  readonly to: readonly ClosedTo[];
}

interface ClosingParts {
  readonly primary: PrimaryStore;
  readonly ontology: Pick<Ontology, 'classes' | 'calls'>;
  readonly accounts: Accounts;
}

/** Closes classes of a record. @throws AccountError for what cannot be closed, or not to them */
export async function closeClasses(parts: ClosingParts, closing: Closing): Promise<void> {
  const { primary, ontology, accounts } = parts;
  const { record, classes, to } = closing;
  if (!primary.has(recordIri(primary.base, record))) throw new AccountError(`There is no record ${record}.`);
  const closable = new Set(closableClasses(ontology).map(({ iri }) => iri));
  if (!classes.every((iri) => closable.has(iri)))
    throw new AccountError(
      'Only classes that calls about a record read, and no search shows, can be closed.',
    );
  for (const each of to) {
    const [kind, id = ''] = each.split(' ');
    if (each !== 'all' && kind !== 'user' && kind !== 'app')
      throw new AccountError('Say to whom: everybody, a clinician or an app.');
    if (kind === 'app' && !accounts.app(id)) throw new AccountError(`There is no app ${id}.`);
    if (kind === 'user' && accounts.user(id)?.role !== 'clinician')
      throw new AccountError(`${id} is no clinician: name clinicians and apps.`);
  }
  await change(parts, closing, (tx, closure) => accounts.putClosure(tx, closure));
}

/** Opens classes of a record again. @returns whether any was closed to one of them */
export async function openClasses(parts: ClosingParts, closing: Closing): Promise<boolean> {
  let isOpened = false;
  await change(parts, closing, (tx, closure) => {
    if (parts.accounts.removeClosure(tx, closure)) isOpened = true;
  });
  return isOpened;
}

type ChangeClosure = (
  tx: Parameters<Accounts['putClosure']>[0],
  closure: Parameters<Accounts['putClosure']>[1],
) => void;

function change(
  { primary, ontology }: ClosingParts,
  { record, classes, to }: Closing,
  changeOne: ChangeClosure,
): Promise<void> {
  const places = placesOfClasses(ontology, classes, record);
  return primary.directory.transact((tx) => {
    for (const iri of classes) for (const each of to) changeOne(tx, { record, class: iri, to: each });
    // Levels of analysts take these statements out, or in again.
    const log = new LogWriter(tx);
    log.reread(places.flatMap((place) => [...pathsIn(tx, place)]));
    log.finish();
  });
}
