/** A term of a row (SPARQL 1.1 Query Results JSON Format §3.2.2). */
export interface JsonTerm {
  readonly type: 'uri' | 'literal' | 'bnode';
  readonly value: string;
  readonly 'xml:lang'?: string;
  readonly datatype?: string;
}

export type AnswerRow = Readonly<Record<string, JsonTerm>>;
