/** Every rule that an endpoint, or its text, can break; a warning asks its reader to look. */
export const rules = {
  json: 'error',
  'duplicate-key': 'error',
  nesting: 'error',
  'text-encoding': 'error',
  'too-large': 'error',
  unreadable: 'error',
  'no-endpoint': 'error',
  bundle: 'error',
  'resource-type': 'error',
  required: 'error',
  'unknown-property': 'error',
  type: 'error',
  empty: 'error',
  code: 'error',
  format: 'error',
  range: 'error',
  length: 'error',
  unicode: 'error',
  date: 'error',
  choice: 'error',
  element: 'error',
  companion: 'error',
  narrative: 'error',
  period: 'error',
  'contact-system': 'error',
  'element-id': 'error',
  'contained-id': 'error',
  'contained-reference': 'error',
  reference: 'error',
  'reference-type': 'error',
  constraint: 'error',
  'implicit-rules': 'warning',
  'modifier-extension': 'warning',
  'unknown-code': 'warning',
  'required-by-r4': 'warning',
} as const satisfies Record<string, 'error' | 'warning'>;

export type EndpointRule = keyof typeof rules;

/** Warnings about things that a reader must understand before it may use the endpoint at all. */
export const mustBeUnderstood: ReadonlySet<EndpointRule> = new Set(['implicit-rules', 'modifier-extension']);

/** One error or warning, at one place. */
export interface EndpointProblem {
  /** JSON Pointer (RFC 6901) from the endpoint; '' is the endpoint itself. */
  readonly pointer: string;
  readonly rule: EndpointRule;
  readonly severity: 'error' | 'warning';
  /** One sentence. */
  readonly message: string;
}

export function endpointProblem(pointer: string, rule: EndpointRule, message: string): EndpointProblem {
  return { pointer, rule, severity: rules[rule], message };
}

/** Makes a JSON Pointer of property names and array positions. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${escapeStep(step)}`).join('');
}

export function escapeStep(step: string | number): string {
  return typeof step === 'number' ? String(step) : step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Prepares a text for a message: quoted, and not longer than a line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? text.slice(0, 59) + '…' : text);
}

/** Keeps the first problem of each rule at each place: one mistake can be found in several ways. */
export function distinctProblems(problems: readonly EndpointProblem[]): EndpointProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ pointer, rule, message }) => {
    const key = `${rule} ${pointer}${/^required/u.test(rule) ? ` ${message}` : ''}`;
    return seen.size !== seen.add(key).size;
  });
}

/** A value that is not a valid endpoint; `problem` is its first error. */
export class InvalidEndpoint extends Error {
  constructor(readonly problem: EndpointProblem) {
    super(
      `This is no valid endpoint: ${problem.pointer === '' ? '' : `${problem.pointer}: `}${problem.message}`,
    );
    this.name = 'InvalidEndpoint';
  }
}

/** Thrown for a graph that is not the RDF form of one endpoint. */
export class InvalidEndpointGraph extends Error {
  constructor(reason: string) {
    super(`This graph is not the RDF form of one endpoint: ${reason}.`);
    this.name = 'InvalidEndpointGraph';
  }
}
