/** An expression of FHIRPath, as far as the constraints of FHIR R4 use it. */
export type Path =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Path | undefined; readonly name: string }
  | {
      readonly kind: 'call';
      readonly of: Path | undefined;
      readonly name: string;
      readonly args: readonly Path[];
    }
  | { readonly kind: 'operation'; readonly name: string; readonly left: Path; readonly right: Path };

/** Operators, the weakest binding first (FHIRPath, "Operator Precedence"). */
const precedence: readonly (readonly string[])[] = [
  ['implies'],
  ['or', 'xor'],
  ['and'],
  ['in', 'contains'],
  ['=', '!='],
  ['<=', '>=', '<', '>'],
  ['|'],
  ['is', 'as'],
  ['+', '&'],
];

const token = /\s*(?:('(?:[^'\\]|\\.)*')|(\d+)|([%$]?[A-Za-z_]\w*)|(<=|>=|!=|[=<>|+&().,]))/uy;

/**
 * Parses an expression.
 * @throws Error if it is not one
 */
export function parsePath(text: string): Path {
  const reader = new Reader(text);
  const path = reader.operation(0);
  reader.end();
  return path;
}

class Reader {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    token.lastIndex = 0;
    for (let end = 0; end < text.trimEnd().length; end = token.lastIndex) {
      const [, ...groups] = token.exec(text) ?? [];
      const found = groups.find((group) => group !== undefined);
      if (found === undefined) throw new Error(`This is no FHIRPath that is known: ${text}`);
      this.#tokens.push(found);
    }
  }

  operation(level: number): Path {
    const names = precedence[level];
    if (names === undefined) return this.#steps();
    let left = this.operation(level + 1);
    for (
      let name = this.#tokens[this.#at];
      name !== undefined && names.includes(name);
      name = this.#tokens[this.#at]
    ) {
      this.#at++;
      left = { kind: 'operation', name, left, right: this.operation(level + 1) };
    }
    return left;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new Error(`"${this.#tokens[this.#at]}" is one too many.`);
  }

  #steps(): Path {
    let path = this.#first();
    while (this.#take('.')) path = this.#step(path);
    return path;
  }

  #first(): Path {
    if (this.#take('(')) {
      const inner = this.operation(0);
      this.#expect(')');
      return inner;
    }
    const text = this.#tokens[this.#at] ?? '';
    if (/^\d/u.test(text)) return this.#literal(Number(text));
    if (text.startsWith("'")) return this.#literal(text.slice(1, -1).replace(/\\(.)/gu, '$1'));
    if (text === 'true' || text === 'false') return this.#literal(text === 'true');
    if (/^[%$]/u.test(text)) {
      this.#at++;
      return { kind: 'variable', name: text };
    }
    return this.#step(undefined);
  }

  #literal(value: string | number | boolean): Path {
    this.#at++;
    return { kind: 'value', value };
  }

  #step(of: Path | undefined): Path {
    const name = this.#tokens[this.#at++] ?? '';
    if (!/^[A-Za-z_]/u.test(name)) throw new Error(`"${name}" is no name.`);
    if (!this.#take('(')) return { kind: 'member', of, name };
    const args: Path[] = [];
    while (!this.#take(')')) {
      if (args.length > 0) this.#expect(',');
      args.push(this.operation(0));
    }
    return { kind: 'call', of, name, args };
  }

  #take(text: string): boolean {
    if (this.#tokens[this.#at] !== text) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Error(`"${text}" is missing.`);
  }
}
