import type { ClassModel } from '../../model/ontology/model.js';
import { uncapital } from '../../http/html/readable.js';

/** A value on a page: text, a note, the linked statement, and its parts. */
export interface ShownValue {
  readonly text: string;
  readonly note?: string | undefined;
  readonly link?: string | undefined;
  readonly parts?: readonly ShownProperty[] | undefined;
}

export interface ShownProperty {
  readonly label: string;
  readonly values: readonly ShownValue[];
}

export interface StatementHead {
  readonly iri: string;
  readonly model: ClassModel;
  readonly kind: string;
  readonly title: string;
  readonly code?: string | undefined;
  readonly date?: string | undefined;
}

export interface ShownStatement extends StatementHead {
  readonly until?: string | undefined;
  readonly isOver: boolean;
  readonly summary: readonly string[];
  readonly isOutside: boolean;
  readonly finding?: string | undefined;
}

/** Formats a value on one line; numbers after the first part get their labels. */
export function onOneLine({ text, parts = [] }: ShownValue): string {
  if (text !== '') return text;
  const named = parts.flatMap(({ label, values }) =>
    values.map((value) => ({ label, text: onOneLine(value) })),
  );
  return named
    .filter((part) => part.text !== '')
    .map((part, at) =>
      at > 0 && /^\d/.test(part.text) ? `${uncapital(part.label)} ${part.text}` : part.text,
    )
    .join(', ');
}
