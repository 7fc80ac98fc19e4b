import type { ClassModel } from '../../ontology/model.js';
import { uncapital } from './readable.js';

/** A value as pages show it: its text, what stands small beside it, where it leads, and what else it says. */
export interface ShownValue {
  readonly text: string;
  readonly note?: string | undefined;
  /** The IRI of another statement of the record. */
  readonly link?: string | undefined;
  readonly parts?: readonly ShownProperty[] | undefined;
}

export interface ShownProperty {
  readonly label: string;
  readonly values: readonly ShownValue[];
}

/** What a statement is about, and when it was. */
export interface StatementHead {
  readonly iri: string;
  /** The class, and what people call it. */
  readonly model: ClassModel;
  readonly kind: string;
  readonly title: string;
  /** The IRI of the code of the title. */
  readonly code?: string | undefined;
  /** ISO 8601, as stored; undefined where it has none. */
  readonly date?: string | undefined;
}

/** A statement as lists show it. */
export interface ShownStatement extends StatementHead {
  readonly until?: string | undefined;
  /** Whether its last day was before the day that is given. */
  readonly isOver: boolean;
  readonly summary: readonly string[];
  /** Whether something that was measured is outside of its normal range. */
  readonly isOutside: boolean;
  /** What it says itself of not being normal. */
  readonly finding?: string | undefined;
}

/** A value on one line. Of several parts a number that is not the first says what it is. */
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
