import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { sparql } from 'codemirror-lang-sparql';
import type { Offer, Offers } from './offers.js';
import type { Remark } from './ask-query.js';

interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly labelledBy: string;
  readonly describedBy: string;
  /** The content security policy allows styles with this nonce. */
  readonly nonce: string;
  readonly offers: Offers;
  onRun(): void;
  onChange(): void;
}

/** The text to complete: a variable, a prefixed name or a word. */
const COMPLETED_TEXT = /[?$]?[\w:-]*$/u;

export function createEditor(options: EditorOptions) {
  const { parent, text, labelledBy, describedBy, nonce, offers, onRun, onChange } = options;
  const run = (): boolean => {
    onRun();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        Prec.highest(
          keymap.of([
            { key: 'Ctrl-Enter', run },
            { key: 'Mod-Enter', run },
            // Only while a completion is offered: otherwise Tab leaves the editor.
            { key: 'Tab', run: acceptCompletion },
          ]),
        ),
        lineNumbers(),
        history(),
        sparql(),
        syntaxHighlighting(classHighlighter),
        bracketMatching(),
        closeBrackets(),
        indentOnInput(),
        autocompletion({ override: [(context) => completed(context, offers)], icons: false }),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-labelledby': labelledBy,
          'aria-describedby': describedBy,
          'aria-multiline': 'true',
        }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) onChange();
        }),
      ],
    }),
  });
  return {
    text: (): string => view.state.doc.toString(),
    replace: (next: string, cursor = next.length): void => {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: Math.min(cursor, next.length) },
        scrollIntoView: true,
      });
    },
    /** Underlines the positions, and moves to the first error. */
    remark: (remarks: readonly Remark[]): void => {
      const marked = remarks.map((remark) => diagnosticOf(view.state, remark));
      view.dispatch(setDiagnostics(view.state, marked));
      const error = marked.find(({ severity }) => severity === 'error');
      if (error) view.dispatch({ selection: { anchor: error.from }, scrollIntoView: true });
    },
    focus: (): void => view.focus(),
  };
}

function completed(context: CompletionContext, offers: Offers): CompletionResult | null {
  const before = context.matchBefore(COMPLETED_TEXT);
  const typed = before?.text ?? '';
  if (typed === '' && !context.explicit) return null;
  const from = before?.from ?? context.pos;
  const all = context.state.doc.toString();
  return {
    from,
    options: offers(all.slice(0, from), typed, all).map(completionOf),
    validFor: /^[?$]?[\w:-]*$/u,
  };
}

const completionOf = ({ name, detail, info, kind, boost }: Offer): Completion => ({
  label: name,
  type: kind,
  boost,
  ...(detail !== '' && { detail }),
  ...(info !== '' && { info }),
});

/** Converts a remark to a range: the word at its position, or the last character of the line. */
function diagnosticOf({ doc }: EditorState, { severity, message, line, column }: Remark): Diagnostic {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  const from = Math.min(at.from + column - 1, at.to);
  const word = /^[^\s{}()[\];,]+/u.exec(doc.sliceString(from, at.to))?.[0] ?? '';
  const to = Math.min(at.to, from + Math.max(1, word.length));
  return { severity, message, from: to > from ? from : Math.max(at.from, from - 1), to };
}
