import { html, type Html } from '../../http/html/html.js';
import type { Ontology } from '../../model/ontology/model.js';
import { folded } from '../shown/folded.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { headingOf, kindsOf, type Kind } from '../shown/statement-kinds.js';
import type { RecordReads } from './record-reads.js';
import { flagMark, NONE_SHOWN, type PathOf } from './statement-list.js';

export interface Alerts {
  readonly kind: Kind;
  readonly path: string;
  readonly past: number;
  readonly total: number;
  /** What holds now, the most severe first. */
  readonly statements: readonly ShownStatement[];
}

const SHOWN = 12;

/** Reads what every page of a record shows: allergies, in the shipped ontology. */
export async function readAlerts(
  ontology: Ontology,
  reads: RecordReads,
  pathOfKind: (kind: Kind) => string,
): Promise<Alerts[]> {
  const found: Alerts[] = [];
  for (const kind of kindsOf(ontology).filter(({ model }) => model.shown.as === 'alert')) {
    const { lasting, past, total } = await reads.current(kind);
    const statements = bySeverity(ontology, await reads.known(kind, lasting));
    found.push({ kind, path: pathOfKind(kind), past: past.length, total, statements });
  }
  return found;
}

/**
 * Sorts by the order of the class, so that what is excluded comes last, by how severe it is, and among equals by the
 * places of all codes: drugs come first, and what names no substance last.
 */
export function bySeverity(
  { codes: known }: Pick<Ontology, 'codes'>,
  statements: readonly ShownStatement[],
): ShownStatement[] {
  const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
  const placeOf = ({ codes }: ShownStatement): number =>
    codes
      .map((code) => known.get(code)?.order ?? 0)
      .filter(Number.isFinite)
      .reduce((sum, order) => sum + order, 0);
  return statements.toSorted(
    (a, b) =>
      compare(a.model.shown.order, b.model.shown.order) || compare(a.rank, b.rank) || placeOf(a) - placeOf(b),
  );
}

/** Draws the strip, with what contradicts itself in it. @param isPartClosed whether some may be hidden */
export function alertStrip(
  ontology: Ontology,
  alerts: readonly Alerts[],
  pathOf: PathOf,
  isPartClosed = false,
): Html {
  const all = alerts.flatMap(({ statements }) => statements);
  const denies = ({ codes }: ShownStatement): boolean =>
    codes.some((code) => (ontology.codes.get(code)?.denies ?? []).length > 0);
  return html`<section
    class="${all.every(denies) && !isPartClosed ? 'strip calm' : 'strip'}"
    aria-label="Warnings"
  >
    ${alerts
      .filter(({ kind, statements }) => kind.model.insteadOf === undefined || statements.length > 0)
      .map(({ kind, path, past, statements }) => {
        const [denied, held] = [statements.filter(denies), statements.filter((each) => !denies(each))];
        const [shown, rest] = folded(held, SHOWN);
        return html`<p>
            <a class="name" href="${path}">${headingOf(kind)}</a>
            ${all.length === 0 && html`<span>${isPartClosed ? NONE_SHOWN : 'None recorded. That does not mean that there are none.'}</span>`}
            ${past > 0 && html`<a class="quiet small" href="${path}">${past} past</a>`}
            ${held.length === 0 && denials(denied, pathOf)}
            ${isPartClosed && held.length === 0 && denied.length > 0 && html`<span>Others may be closed to you.</span>`}
          </p>
          ${
            held.length > 0 &&
            html`<ul>
              ${shown.map((statement) => alertOf(statement, pathOf))}
              ${rest.length > 0 && html`<li><a href="${path}">and ${rest.length} more</a></li>`}
            </ul>`
          }
          ${held.length > 0 && denied.length > 0 && html`<p class="small">${denials(denied, pathOf)}</p>`}`;
      })}
    ${contradictions(ontology, all).map((text) => html`<p><span class="outside critical">Contradiction</span> ${text}</p>`)}
  </section>`;
}

/** What the patient does not have, in another form than what they have. */
function denials(denied: readonly ShownStatement[], pathOf: PathOf): Html[] {
  return denied.map(({ iri, title }, at) => {
    const path = pathOf(iri);
    return html`${at > 0 && ' · '}${path === undefined ? title : html`<a href="${path}">${title}</a>`}`;
  });
}

function alertOf({ iri, title, summary, flag }: ShownStatement, pathOf: PathOf): Html {
  const said = summary();
  const path = pathOf(iri);
  return html`<li>
    ${path === undefined ? html`<b>${title}</b>` : html`<a href="${path}"><b>${title}</b></a>`}
    ${flagMark(flag)} ${said.length > 0 && html`<span class="small">${said.join(' · ')}</span>`}
  </li>`;
}

/** Names statements that deny what others state. What is kept in words may itself say that there is none. */
export function contradictions(
  { codes }: Pick<Ontology, 'codes'>,
  statements: readonly ShownStatement[],
): string[] {
  return statements.flatMap((denying) => {
    const denied = denying.codes.flatMap((code) => codes.get(code)?.denies ?? []);
    if (denied.length === 0) return [];
    const against = statements.filter(
      ({ model, codes: own }) => denied.includes(model.iri) || own.some((code) => denied.includes(code)),
    );
    const names = against.map(({ title }) => title).join(', ');
    return against.length > 0 ? [`“${denying.title}” is recorded, and so is ${names}.`] : [];
  });
}
