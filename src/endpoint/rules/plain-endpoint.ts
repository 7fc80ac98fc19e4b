import { Ajv2020 } from 'ajv/dist/2020.js';
import { endsBeforeStart, isImpossibleDate } from './date-time.js';
import { isPlainNarrative } from './plain-narrative.js';
import { ANYTHING, FRACTION, isVisibleAscii, shortFraction, tokens, type Pattern } from './quick-reg-exp.js';
import { endpointSchema, type PropertySchema } from '../schema.js';
import { MAX_STRING } from './walk.js';

/**
 * Whether a value is a valid endpoint of the commonest kind: no primitive extensions, nothing contained, no extension in an
 * extension, no warning. One pass of ajv over a schema that is stricter than the published one, and made from it,
 * finds it in half the time; a value that is not told to be plain may still be valid.
 */
export function isPlainEndpoint(value: unknown): boolean {
  return isPlain(value);
}

/** Properties that need a closer look. Without them nothing can nest without end, either. */
const closer: Readonly<Record<string, RegExp>> = {
  Endpoint: /^(?:_|contained$|implicitRules$|modifierExtension$)/u,
  Extension:
    /^(?:_|id$|extension$|value(?!(?:Boolean|Canonical|Code|Date|DateTime|Decimal|Id|Instant|Markdown|Oid|String|Time|Uri|Url|Uuid)$))/u,
  Reference: /^(?:_|identifier$)/u,
  ContactPoint: /^(?:_|rank$)/u,
};

/** What joins the keywords of a datatype. */
const stricter: Readonly<Record<string, object>> = {
  // The url and one value is all that can be there; that makes the rules about choices needless.
  Extension: { minProperties: 2, maxProperties: 2, not: undefined, dependentSchemas: undefined },
  ContactPoint: { dependentRequired: { value: ['system'] } },
  Period: { isInOrder: true },
  xhtml: { isPlainNarrative: true },
};

/** References into the endpoint itself are followed by others. */
const ELSEWHERE = '^[^#]';

function stricterSchema(name: string, { properties, ...rest }: PropertySchema): PropertySchema {
  const left = Object.entries(properties ?? {}).filter(
    ([property]) => !(closer[name] ?? /^_/u).test(property),
  );
  const members: Record<string, PropertySchema & { pattern?: string }> = Object.fromEntries(left);
  if (name === 'Reference') members['reference'] = { type: 'string', pattern: ELSEWHERE };
  const type = name.startsWith('nullable-') ? { type: 'string' } : {};
  return { ...rest, ...(properties && { properties: members }), ...type, ...stricter[name] };
}

/** Matches what its expression matches, but for some texts of which the walk has something to say. */
function stricterPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags);
  // ajv tells patterns apart by what toString gives.
  const toString = (): string => pattern.toString();
  if (source === ANYTHING) return { test: (text) => text.length > 0 && isSound(text), toString };
  if (source === ELSEWHERE) return { test: (text) => pattern.test(text) && isSound(text), toString };
  if (tokens.has(source)) return { test: isVisibleAscii, toString };
  const shown = source.includes(FRACTION) ? shortFraction : (text: string): string => text;
  return { test: (text) => pattern.test(shown(text)) && !isImpossibleDate(text), toString };
}

function isSound(text: string): boolean {
  return text.length <= MAX_STRING && text.isWellFormed();
}

function compiled(): (value: unknown) => boolean {
  const regExp = Object.assign(stricterPattern, { code: 'new RegExp' });
  const ajv = new Ajv2020({ messages: false, code: { regExp } });
  ajv.addKeyword({
    keyword: 'isInOrder',
    errors: false,
    validate: (_: unknown, period: unknown) => isInOrder(period),
  });
  ajv.addKeyword({
    keyword: 'isPlainNarrative',
    errors: false,
    validate: (_: unknown, div: unknown) => typeof div === 'string' && isPlainNarrative(div),
  });
  const definitions = Object.entries(endpointSchema.$defs).map(([name, schema]) => [
    name,
    stricterSchema(name, schema),
  ]);
  return ajv.compile({
    ...stricterSchema('Endpoint', endpointSchema),
    $defs: Object.fromEntries(definitions) as object,
  });
}

function isInOrder(period: unknown): boolean {
  const { start, end } = period as { start?: unknown; end?: unknown };
  return typeof start !== 'string' || typeof end !== 'string' || !endsBeforeStart(start, end);
}

const isPlain = compiled();
