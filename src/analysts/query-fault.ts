/** Why a text is not answered, and where in it that stands. */
export class QueryFault extends Error {
  constructor(
    message: string,
    /** From 1; undefined where it is about the whole text. */
    readonly line?: number,
    readonly column?: number,
  ) {
    super(message);
    this.name = 'QueryFault';
  }
}

/** A place in a text, by lines and columns from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where an offset stands. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
