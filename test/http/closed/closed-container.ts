import { expect } from 'vitest';
import type { ClosedTo } from '../../../src/access/accounts/closed-classes.js';
import { idOfPath } from '../../../src/fhir/out/export-names.js';
import type { ClassModel, Ontology } from '../../../src/model/ontology/model.js';
import { quad, literal, namedNode, type Quad, type Term } from '../../../src/rdf/terms.js';
import { dcterms, sp } from '../../../src/rdf/vocabulary.js';
import {
  closableClasses,
  closeClasses,
  openClasses,
  placesOfClasses,
} from '../../../src/records/closable.js';
import { addUser, changeUser } from '../../../src/records/registry.js';
import { keepClinicianMode } from '../../../src/store/disk/clinician-mode.js';
import { openPrimaryStore, type PrimaryStore } from '../../../src/store/primary-store.js';
import { shippedModel } from '../../authoring/shipped-model.js';
import type { startContainer } from '../../../src/main.js';
import { startFlowContainer, type FlowContainer } from '../oauth/flow-container.js';

export const RECORD = '1000001';

/** A container whose record has statements of every class that can be closed. */
export interface ClosedContainer extends FlowContainer {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly classes: readonly ClassModel[];
  /** Names of the statements of a class in the record. */
  statements(iri: string): string[];
  /** What only statements of a class say. */
  secretsOf(iri: string): string[];
  /** The classes that are closed with a class. */
  closedWith(iri: string): string[];
  close(classes: string | readonly ClassModel[], ...to: ClosedTo[]): Promise<void>;
  open(iri: string, ...to: ClosedTo[]): Promise<boolean>;
  openAll(): Promise<void>;
}

/** @param start that of what has been built, where threads are to be run */
export async function startClosed(start?: typeof startContainer): Promise<ClosedContainer> {
  const flow = await startFlowContainer(
    { clinicians: 'related', containerAccess: 'signed', senderBudget: 1000, fhir: true },
    [],
    start,
  );
  const { ontology } = await shippedModel();
  const { directory, accounts, url: base } = flow;
  await directory.transact((tx) => keepClinicianMode(tx, 'related'));
  const primary = openPrimaryStore(directory, base);
  const classes = closableClasses(ontology);
  const parts = { primary, ontology, accounts };
  const placesOf = (iri: string): string[] =>
    placesOfClasses(ontology, [iri], RECORD).map((place) => base + place);
  const places = [...new Set(classes.flatMap(({ iri }) => placesOf(iri)))];
  await primary.write({ replace: places.flatMap((place) => furnished(primary, place)) });
  await addUser(
    { ...parts, directory, base },
    { id: 'other', givenName: 'Una', familyName: 'Otherby', role: 'clinician', records: [RECORD] },
  );
  await changeUser({ ...parts, directory, base }, 'clinician', { records: [RECORD] });
  const statements = (iri: string): string[] => placesOf(iri).flatMap((place) => primary.names(place));
  const said = (name: string): string[] => [
    name,
    idOfPath(name.slice(`${base}/records/`.length)) ?? name,
    ...(primary.graph(name) ?? []).flatMap(({ object: { termType, value } }) =>
      termType === 'Literal' && /\p{L}.*\p{L}/u.test(value) && value.length > 7 ? [value] : [],
    ),
  ];
  return {
    ...flow,
    ...{ primary, ontology, classes, statements },
    secretsOf(iri) {
      const own = statements(iri);
      const others = new Set(
        primary
          .names(`${base}/`)
          .filter((name) => !own.includes(name))
          .flatMap(said),
      );
      const text = JSON.stringify([...others]);
      return [...new Set(own.flatMap(said))].filter(
        (each) => !text.includes(JSON.stringify(each).slice(1, -1)),
      );
    },
    closedWith: (iri) =>
      classes
        .filter((each) => placesOf(each.iri).every((place) => placesOf(iri).includes(place)))
        .map((each) => each.iri),
    close: (closed, ...to) =>
      closeClasses(parts, {
        record: RECORD,
        classes: typeof closed === 'string' ? [closed] : closed.map(({ iri }) => iri),
        to,
      }),
    open: (iri, ...to) => openClasses(parts, { record: RECORD, classes: [iri], to }),
    async openAll() {
      const closures = accounts.closures(RECORD);
      for (const to of new Set(closures.map((each) => each.to)))
        await openClasses(parts, {
          record: RECORD,
          classes: closures.filter((each) => each.to === to).map((each) => each.class),
          to: [to],
        });
    },
  };
}

/** Copies a statement of another record to a place where there is none, or makes one. */
function furnished(primary: PrimaryStore, place: string) {
  if (primary.names(place).length > 0) return [];
  const record = place.slice(0, place.indexOf(RECORD) + RECORD.length);
  const rest = place.slice(record.length);
  const start = record.slice(0, -RECORD.length);
  const found = primary.names(start).find((name) =>
    name
      .slice(start.length)
      .replace(/^[^/]*/u, '')
      .startsWith(rest),
  );
  if (found === undefined) {
    const name = `${place}/made`;
    const node = namedNode(name);
    return [
      {
        name,
        quads: [
          quad(node, namedNode(sp.belongsTo), namedNode(record)),
          quad(node, namedNode(dcterms.title), literal(`Made for ${rest}`)),
        ],
      },
    ];
  }
  const other = start + found.slice(start.length).replace(/\/.*$/u, '');
  const moved = (term: Term): Term =>
    term.termType === 'NamedNode' && term.value.startsWith(`${other}`)
      ? namedNode(record + term.value.slice(other.length))
      : term;
  const quads = (primary.graph(found) ?? expect.fail(found)).map(({ subject, predicate, object }): Quad =>
    quad(moved(subject), predicate, moved(object)),
  );
  return [{ name: record + found.slice(other.length), quads }];
}
