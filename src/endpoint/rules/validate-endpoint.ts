import { checkSchema } from './check-schema.js';
import { checkContained } from './contained.js';
import { distinctProblems, endpointProblem, quoted, type EndpointProblem } from '../endpoint-problem.js';
import { narrativeFault } from './narrative.js';
import { isPlainEndpoint } from './plain-endpoint.js';
import { MAX_DEPTH, Walk, type Holder } from './walk.js';

export interface ValidateOptions {
  /**
   * What the reader understands: URIs of implicit rules and of modifier extensions, or the names of the two rules,
   * `implicit-rules` and `modifier-extension`, for all of them.
   */
  readonly allow?: Iterable<string> | undefined;
}

/**
 * Holds a value, as `JSON.parse` gives it, against FHIR R4 (4.0.1) Endpoint: everything its JSON Schema says, and
 * what no schema can say (primitive extensions that line up, narratives, periods, contained resources). Warnings are given for
 * implicit rules, which must be understood, and modifier extensions, which must be checked. Throws nothing, whatever
 * the value; time is linear in its size.
 * @returns one problem for each fault; none for a valid endpoint
 */
export function validateEndpoint(value: unknown, { allow = [] }: ValidateOptions = {}): EndpointProblem[] {
  return isPlainEndpoint(value) ? [] : validateClosely(value, allow);
}

/** The same for any endpoint, the plain ones included: nothing is taken on trust. */
export function validateClosely(value: unknown, allow: Iterable<string> = []): EndpointProblem[] {
  const walk = new Walk();
  const endpoint =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Holder) : undefined;
  if (endpoint) walk.object(endpoint, false);
  if (walk.tooDeep)
    return [
      endpointProblem(
        '',
        'nesting',
        `Objects and arrays nest deeper than ${MAX_DEPTH}, which is not looked at.`,
      ),
    ];
  const found = checkSchema(value);
  if (!endpoint || found.some(({ rule }) => rule === 'resource-type')) return found;
  if (walk.local.length > 0 || endpoint['contained'] !== undefined) checkContained(walk, endpoint);
  if (endpoint['text'] !== undefined) checkNarrative(walk, endpoint['text']);
  if (endpoint['implicitRules'] !== undefined || endpoint['modifierExtension'] !== undefined)
    warn(walk, endpoint, new Set(allow));
  return walk.problems.length === 0 ? found : distinctProblems([...found, ...walk.problems]);
}

function checkNarrative(walk: Walk, text: unknown): void {
  const { div } = (text ?? {}) as { div?: unknown };
  const fault = typeof div === 'string' && div !== '' && div.isWellFormed() ? narrativeFault(div) : undefined;
  if (fault !== undefined) walk.note('narrative', fault, 'text', 'div');
}

/** What a reader must understand before it may use the endpoint at all. */
function warn(walk: Walk, { implicitRules, modifierExtension }: Holder, allowed: ReadonlySet<string>): void {
  if (typeof implicitRules === 'string' && !allowed.has('implicit-rules') && !allowed.has(implicitRules))
    walk.note('implicit-rules', `The rules ${quoted(implicitRules)} must be understood.`, 'implicitRules');
  if (!Array.isArray(modifierExtension) || allowed.has('modifier-extension')) return;
  for (const [index, extension] of modifierExtension.entries()) {
    const { url } = (extension ?? {}) as { url?: unknown };
    if (typeof url === 'string' && !allowed.has(url))
      walk.note(
        'modifier-extension',
        `The modifier extension ${quoted(url)} must be checked.`,
        'modifierExtension',
        index,
      );
  }
}
