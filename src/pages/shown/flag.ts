import type { CodeModel } from '../../model/ontology/model.js';
import { sideOf, type Quantity } from './quantities.js';

/** What a reader must notice of a statement, in the same words on every page. */
export interface Flag {
  /** As laboratories write it: H, L, HH or LL; '' where there is no number to compare. */
  readonly letters: string;
  readonly text: string;
  readonly isCritical: boolean;
}

export const UNFLAGGED = 2;
/** Sorts what must be noticed first: what is critical, then what is not normal. */
export const weightOf = ({ flag }: { readonly flag?: Flag | undefined }): number =>
  flag ? (flag.isCritical ? 0 : 1) : UNFLAGGED;

const SIDES = { high: { letter: 'H', text: 'High' }, low: { letter: 'L', text: 'Low' } };

/** Returns the flag of a number by its ranges. @param isCritical whether the statement says that it is critical */
export function flagOfNumber(quantity: Quantity, isCritical = false): Flag | undefined {
  const beyond = sideOf(quantity, quantity.critical);
  const side = beyond ?? sideOf(quantity, quantity.normal);
  if (side === undefined) return undefined;
  const { letter, text } = SIDES[side];
  return beyond !== undefined || isCritical
    ? { letters: letter + letter, text: `Critically ${side}`, isCritical: true }
    : { letters: letter, text, isCritical: false };
}

/** Returns the worst flag of a statement: by its numbers, and by the codes in its summary that must be noticed. */
export function worstFlag(quantities: readonly Quantity[], codes: readonly CodeModel[]): Flag | undefined {
  const isCritical = codes.some((code) => code.isCritical);
  const numbers = quantities.flatMap((quantity) => flagOfNumber(quantity, isCritical) ?? []);
  const [code] = codes.toSorted((a, b) => Number(b.isCritical) - Number(a.isCritical));
  return (
    numbers.find((flag) => flag.isCritical) ??
    numbers[0] ??
    (code && { letters: '', text: code.title, isCritical: code.isCritical })
  );
}
