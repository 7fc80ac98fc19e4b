import { html } from '../html.js';
import { csrfField, describedBy, problemNotice, type Page, type PageContext } from '../layout.js';
import { recordPage, recordPaths, type RecordFrame } from './frame.js';

/** A note that is being written. */
export interface NoteForm {
  readonly frame: RecordFrame;
  /** Whether it will name who wrote it. */
  readonly isSigned: boolean;
  readonly title: string;
  readonly text: string;
  /** Goes along, so that a form that is sent twice adds one note. */
  readonly key: string;
  readonly problem?: string | undefined;
}

/** The page on which a note is written. */
export function notePage(
  around: PageContext,
  { frame, isSigned, title, text, key, problem }: NoteForm,
): Page {
  const described = describedBy(problem);
  const content = html`<section class="sheet">
    <h1>Write a note</h1>
    ${problemNotice(problem)}
    <p class="quiet">
      ${
        isSigned
          ? 'The note becomes part of the record under your name.'
          : 'The note becomes part of the record. It does not name you; the log of who looked at the record does.'
      }
      It cannot be changed afterwards.
    </p>
    <form method="post" action="${recordPaths(around.basePath, frame.holder.record).note}">
      ${csrfField(around)}
      <input type="hidden" name="key" value="${key}" />
      <div class="field">
        <label for="title">Title</label>
        <input
          id="title"
          name="title"
          type="text"
          value="${title}"
          required
          maxlength="200"
          autocomplete="off"
          aria-describedby="${described}"
        />
      </div>
      <div class="field">
        <label for="text">Note</label>
        <textarea id="text" name="text" rows="12" required maxlength="20000" aria-describedby="${described}">
${text}</textarea>
      </div>
      <button>Add the note</button>
    </form>
  </section>`;
  return recordPage(around, frame, { tab: 'note', title: 'Write a note', content });
}
