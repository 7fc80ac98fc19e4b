import type { ClosedTo } from '../../access/accounts/closed-classes.js';
import { html, type Html } from '../../http/html/html.js';
import { csrfField, doneNotice, problemNotice, type Page, type PageContext } from '../../http/html/layout.js';
import { capital, uncapital } from '../../http/html/readable.js';
import { recordPage, recordPaths, type RecordFrame } from './frame.js';

/** A class, or to whom something is closed, with its name. */
export type Named<T extends string = string> = readonly [value: T, name: string];

export interface ShownClosures {
  readonly frame: RecordFrame;
  readonly isPatient: boolean;
  readonly closures: readonly { readonly of: Named; readonly to: Named<ClosedTo>; readonly since: string }[];
  readonly classes: readonly Named[];
  readonly others: readonly Named<ClosedTo>[];
  readonly done: string | undefined;
  readonly problem?: string | undefined;
}

/** The page that says which parts of a record are closed and to whom, and closes and opens them. */
export function closedPage(around: PageContext, shown: ShownClosures): Page {
  const { frame, isPatient, closures, classes, others, done, problem } = shown;
  const { basePath } = around;
  const action = recordPaths(basePath, frame.holder.record).closed;
  const field = (name: string, label: string, options: readonly Named[]): Html =>
    html`<div class="field">
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}" required>
        <option value="">Choose…</option>
        ${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
      </select>
    </div>`;
  const content = html`<section class="sheet">
    <h1>Closed parts of this record</h1>
    ${problemNotice(problem)} ${doneNotice(done)}
    <p class="quiet">
      ${isPatient ? 'You always see everything in this record.' : 'The patient always sees everything.'} What
      is closed to somebody is not shown to them or their apps. Statistics without names still count it.
      Clinicians are told that something is closed, and can open it for eight hours in an emergency;
      ${isPatient ? 'you see' : 'the patient sees'} the reason they give. Closing does not take back what
      somebody has already seen or kept.
    </p>
    ${closures.length === 0 && html`<p>No part is closed.</p>`}
    <ul class="rows">
      ${closures.map(
        ({ of: [iri, name], to: [who, whom], since }) =>
          html`<li>
            <div>
              <h2>${name}</h2>
              <p class="quiet small">Closed to ${whom} since ${since}</p>
            </div>
            <form method="post" action="${action}">
              ${csrfField(around)}
              <input type="hidden" name="do" value="open" />
              <input type="hidden" name="class" value="${iri}" />
              <input type="hidden" name="to" value="${who}" />
              <button aria-label="Open ${name} to ${whom}">Open again</button>
            </form>
          </li>`,
      )}
    </ul>
    <form method="post" action="${action}">
      ${csrfField(around)}
      <input type="hidden" name="do" value="close" />
      ${field('class', 'Part to close', classes)} ${field('to', 'Close it to', others)}
      <button>Close</button>
    </form>
  </section>`;
  return recordPage(around, frame, { tab: 'closed', title: 'Closed parts', content });
}

export interface AskedClosing {
  readonly frame: RecordFrame;
  readonly isPatient: boolean;
  readonly of: Named;
  readonly to: Named<ClosedTo>;
  /** The names of what closes with it. */
  readonly alsoClosed: readonly string[];
  /** The names of what stays open and is linked with it. */
  readonly linked: readonly string[];
}

/** Asks before a part is closed: says who will not see it, and where the same may stand. */
export function closingQuestion(
  around: PageContext,
  { frame, isPatient, of: [iri, name], to: [who, whom], alsoClosed, linked }: AskedClosing,
): Page {
  const action = recordPaths(around.basePath, frame.holder.record).closed;
  const part = uncapital(name);
  const title = `Close ${part}?`;
  const open =
    linked.length > 0
      ? `These stay open and may say the same: ${listed(linked)}.`
      : 'Other parts stay open and may mention the same.';
  const content = html`<section class="sheet">
    <h1>${title}</h1>
    <p>${unseen(who, whom, part, isPatient)}</p>
    ${alsoClosed.length > 0 && html`<p>Closed with it: ${listed(alsoClosed)}.</p>`}
    <p>${open}</p>
    <form method="post" action="${action}">
      ${csrfField(around)}
      <input type="hidden" name="do" value="close" />
      <input type="hidden" name="class" value="${iri}" />
      <input type="hidden" name="to" value="${who}" />
      <input type="hidden" name="confirmed" value="yes" />
      <div class="actions">
        <button class="danger">Close ${part}</button>
        <a class="button second" href="${action}">Cancel</a>
      </div>
    </form>
  </section>`;
  return recordPage(around, frame, { tab: 'closed', title, content });
}

const listed = (names: readonly string[]): string => names.map(uncapital).join(', ');

/** Says who will not see a part once it is closed. An emergency opens nothing to apps to which it is closed. */
function unseen(who: ClosedTo, whom: string, part: string, isPatient: boolean): string {
  if (who === 'all')
    return `Doctors and other clinicians will no longer see ${part} in this record, except in an emergency. No app will, not even one that ${isPatient ? 'you use' : 'the patient uses'}.`;
  return who.startsWith('user ')
    ? `${whom} and the apps they use will no longer see ${part} in this record, except in an emergency.`
    : `${capital(whom)} will no longer see ${part} in this record.`;
}
