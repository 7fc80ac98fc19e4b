import type { CallModel, Ontology } from '../../ontology/model.js';
import { layerNames } from '../../ontology/term-names.js';
import type { Rule } from '../../check/rule.js';
import { QueryFileError } from '../query-file-error.js';
import type { QueryTemplate } from '../template.js';
import type { QueryTree } from '../syntax.js';
import { lineAt, solidTokens, type Token } from '../tokenizer.js';

/** What queries may name beside the ontology. */
export interface Beside {
  /** Graphs that hold nothing of anybody. */
  readonly graphs: readonly string[];
  readonly namespaces: readonly string[];
}

export interface QueryText {
  readonly file: string;
  readonly sparql: string;
  readonly tree: QueryTree;
  readonly call: CallModel;
  readonly ontology: Ontology;
  readonly beside?: Beside | undefined;
}

export interface QueryInput extends QueryText {
  readonly template: QueryTemplate;
}

export interface QueryBreach {
  /** From 1; undefined for the whole file. */
  readonly line: number | undefined;
  readonly says: string;
}

export interface QueryRule<Input extends QueryText = QueryInput> extends Rule {
  readonly check: (input: Input) => readonly QueryBreach[];
}

export function broken<Input extends QueryText>(
  rules: readonly QueryRule<Input>[],
  input: Input,
): QueryFileError[] {
  return rules.flatMap((rule) =>
    rule
      .check(input)
      .map(({ line, says }) => new QueryFileError(rule, input.file, line, layerNames(input.ontology, says))),
  );
}

export class Places {
  readonly #tokens: readonly Token[];

  constructor(private readonly sparql: string) {
    this.#tokens = solidTokens(sparql);
  }

  of(name: string | undefined): number | undefined {
    const where = this.#tokens.findIndex(({ text }) => text.toUpperCase() === 'WHERE');
    const is = ({ kind, value }: Token): boolean =>
      (kind === 'variable' || kind === 'parameter') && value === name;
    return this.#line(this.#tokens.slice(Math.max(where, 0)).find(is) ?? this.#tokens.find(is));
  }

  ofGraph(name: string | undefined): number | undefined {
    const found = this.#tokens.find(
      ({ value }, index) => value === name && this.#tokens[index - 1]?.text.toUpperCase() === 'GRAPH',
    );
    return this.#line(found);
  }

  ofWord(word: string): number | undefined {
    return this.#line(this.#tokens.find(({ text }) => text.toUpperCase() === word.toUpperCase()));
  }

  #line(token: Token | undefined): number | undefined {
    return token && lineAt(this.sparql, token.at);
  }
}
