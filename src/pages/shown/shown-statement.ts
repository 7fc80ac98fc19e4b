import type { ClassModel } from '../../model/ontology/model.js';
import type { Flag } from './flag.js';
import type { Quantity } from './quantities.js';
import { uncapital } from '../../http/html/readable.js';

/** A value on a page: text, a note, its code with the system, the linked statement, and its parts. */
export interface ShownValue {
  readonly text: string;
  readonly note?: string | undefined;
  readonly code?: string | undefined;
  readonly link?: string | undefined;
  readonly parts?: readonly ShownProperty[] | undefined;
}

export interface ShownProperty {
  readonly label: string;
  readonly values: readonly ShownValue[];
  /** Whether it is for machines: pages show it with the source data. */
  readonly isSource: boolean;
}

export interface StatementHead {
  readonly iri: string;
  readonly model: ClassModel;
  readonly kind: string;
  readonly title: string;
  readonly code?: string | undefined;
  /** The title without the specimen, where that is named. */
  readonly substance?: string | undefined;
  readonly date?: string | undefined;
  /** Where it stands among equals, by the code of its title; Infinity when not stated. */
  readonly place: number;
}

/** Why something may be over though no end is recorded, and how long ago it began. */
export interface Doubt {
  readonly reason: string;
  readonly age: string;
}

export interface ShownStatement extends StatementHead {
  readonly until?: string | undefined;
  readonly isOver: boolean;
  /** The status that says that it is over, in a word, such as stopped; then its summary has none. */
  readonly ending?: string | undefined;
  readonly doubt?: Doubt | undefined;
  /** Whether it is current, and the code of its title is social or administrative. */
  readonly isSocial: boolean;
  /** Made when it is asked for: of many statements a page shows only some. */
  readonly summary: () => readonly string[];
  readonly quantities: readonly Quantity[];
  /** Whether its file is a picture. */
  readonly isPicture?: boolean;
  readonly flag?: Flag | undefined;
  /** Its place among what is current, by the codes in its summary. */
  readonly rank: number;
  /** All codes of its coded values, if it is shown on every page. */
  readonly codes: readonly string[];
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
