import { inputField } from '../../http/html/form-fields.js';
import { html, type Html } from '../../http/html/html.js';
import {
  csrfField,
  describedBy,
  problemNotice,
  type Page,
  type PageContext,
} from '../../http/html/layout.js';
import { NOTES_CLOSED, recordPage, recordPaths, type RecordFrame } from './frame.js';

export interface NoteForm {
  readonly frame: RecordFrame;
  readonly strip: Html;
  /** Whether the note will name its author. */
  readonly isSigned: boolean;
  readonly title: string;
  readonly text: string;
  /** Identifies the form, so that sending it twice adds one note. */
  readonly key: string;
  readonly problem?: string | undefined;
  /** Whether notes are closed to the reader: the page says so, and has no form. */
  readonly isClosed?: boolean;
}

/** Says that a note reaches nobody by itself, so that nobody waits for an answer to one. */
export const toldOfNote = (reader: PageContext['reader']): string =>
  `Nobody is told about a note.${reader?.role === 'person' ? ' If it is urgent, call your clinic.' : ''}`;

export function notePage(
  around: PageContext,
  { frame, strip, isSigned, title, text, key, problem, isClosed }: NoteForm,
): Page {
  const head = { tab: 'note', title: 'Write a note' } as const;
  if (isClosed) {
    const content = html`${strip}
      <section class="sheet">
        <h1>Write a note</h1>
        <p>${NOTES_CLOSED}</p>
      </section>`;
    return recordPage(around, frame, { ...head, content });
  }
  const described = describedBy(problem);
  const content = html`${strip}
    <section class="sheet">
      <h1>Write a note</h1>
      ${problemNotice(problem)}
      <p class="quiet">
        ${
          isSigned
            ? 'The note becomes part of the record under your name.'
            : 'The note becomes part of the record, and its page says that you wrote it.'
        }
        It cannot be changed afterwards. If something in a note is wrong, write another one that says so.
      </p>
      <p><strong>${toldOfNote(around.reader)}</strong></p>
      <form method="post" action="${recordPaths(around.basePath, frame.holder.record).noteCheck}">
        ${csrfField(around)}
        <input type="hidden" name="key" value="${key}" />
        ${inputField('title', 'Title', {
          value: title,
          maxlength: 200,
          autocomplete: 'off',
          'aria-describedby': described,
        })}
        <div class="field">
          <label for="text">Note</label>
          <textarea
            id="text"
            name="text"
            rows="12"
            required
            maxlength="20000"
            aria-describedby="${described}"
          >
${text}</textarea>
        </div>
        <button>Check the note</button>
      </form>
    </section>`;
  return recordPage(around, frame, { ...head, content });
}

/** Asks before a note is filed: shows it as it will stand, who it is from, and who can read it. */
export function noteCheckPage(
  around: PageContext,
  { frame, strip, title, text, key }: Pick<NoteForm, 'frame' | 'strip' | 'title' | 'text' | 'key'>,
): Page {
  const { note, noteCheck } = recordPaths(around.basePath, frame.holder.record);
  const fields = { key, title, text };
  const content = html`${strip}
    <section class="sheet">
      <h1>Check the note</h1>
      <p>
        The note is not filed yet. Once it is, it cannot be changed.
        <strong>${toldOfNote(around.reader)}</strong>
      </p>
      <div class="card">
        <h2>${title}</h2>
        <p class="quiet small">From ${around.reader?.name}</p>
        <div class="text">${text}</div>
      </div>
      <p class="quiet">
        Everybody who may open this record can read it,
        ${around.reader?.role === 'person' ? 'you' : 'the patient'} included, and so can apps that were let
        in, except those to whom notes are closed.
      </p>
      <form method="post" action="${note}">
        ${csrfField(around)}
        ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <div class="actions">
          <button>File the note</button>
          <button class="second" formaction="${noteCheck}" name="step" value="change">
            Go back and change it
          </button>
        </div>
      </form>
    </section>`;
  return recordPage(around, frame, { tab: 'note', title: 'Check the note', content });
}
