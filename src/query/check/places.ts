import { lineAt, solidTokens, type Token } from '../tokenizer.js';

/** Finds the lines of a query on which things stand, where they stand at all. */
export class Places {
  readonly #sparql: string;
  readonly #tokens: readonly Token[];

  constructor(sparql: string) {
    this.#sparql = sparql;
    this.#tokens = solidTokens(sparql);
  }

  /** Where a variable or parameter first stands in the pattern, else in the text. */
  of(name: string | undefined): number | undefined {
    const where = this.#tokens.findIndex(({ text }) => text.toUpperCase() === 'WHERE');
    const is = ({ kind, value }: Token): boolean =>
      (kind === 'variable' || kind === 'parameter') && value === name;
    return this.#line(this.#tokens.slice(Math.max(where, 0)).find(is) ?? this.#tokens.find(is));
  }

  /** Where a graph of this name is first read. */
  ofGraph(name: string | undefined): number | undefined {
    const found = this.#tokens.find(
      ({ value }, index) => value === name && this.#tokens[index - 1]?.text.toUpperCase() === 'GRAPH',
    );
    return this.#line(found);
  }

  ofWord(word: string): number | undefined {
    return this.#line(this.#tokens.find(({ text }) => text.toUpperCase() === word.toUpperCase()));
  }

  /** Where the pattern of the query begins. */
  ofPattern(): number | undefined {
    return this.ofWord('WHERE');
  }

  #line(token: Token | undefined): number | undefined {
    return token && lineAt(this.#sparql, token.at);
  }
}
