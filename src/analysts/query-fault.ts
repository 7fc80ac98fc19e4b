export class QueryFault extends Error {
  constructor(
    message: string,
    readonly line?: number,
    readonly column?: number,
  ) {
    super(message);
    this.name = 'QueryFault';
  }
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
