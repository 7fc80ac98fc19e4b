import { _, Ajv2020, Name } from 'ajv/dist/2020.js';
import { endsBeforeStart, isImpossibleDate } from './date-time.js';
import { arePlainContained, containedType } from './plain-contained.js';
import { isPlainNarrative } from './plain-narrative.js';
import {
  ANYTHING,
  FRACTION,
  isVisibleAscii,
  shortFraction,
  quickTest,
  type Pattern,
} from './quick-reg-exp.js';
import { endpointSchema, type PropertySchema } from '../schema.js';
import { codesOfSystem, structureOf } from './structures.js';
import { isAbsolute } from './value-checks.js';
import { MAX_STRING, type Holder } from './walk.js';

/**
 * Whether a value is a valid endpoint of the commonest kind: no primitive extensions, no ids of elements, nothing contained but what the
 * endpoint itself refers to, no extension in an extension, no warning. One pass of ajv over a schema that is stricter than the published one, and made from it,
 * finds it in half the time; a value that is not told to be plain may still be valid.
 */
export function isPlainEndpoint(value: unknown): boolean {
  return (isPlain ??= compiled())(value);
}

/** Compiled for the first endpoint: it takes longer than all else that starts a command. */
let isPlain: ((value: unknown) => boolean) | undefined;

/** Properties that need a closer look. Without them nothing can nest without end, either. */
const closer: Readonly<Record<string, RegExp>> = {
  Endpoint: /^(?:_|implicitRules$|modifierExtension$)/u,
  ContainedResource: /^_/u,
  Extension:
    /^(?:_|id$|extension$|value(?!(?:Boolean|Canonical|Code|Date|DateTime|Decimal|Id|Instant|Markdown|Oid|String|Time|Uri|Url|Uuid)$))/u,
  Reference: /^(?:_|id$|identifier$|type$)/u,
  ContactPoint: /^(?:_|id$|rank$)/u,
};

/** That no other element has the id of one is not seen from the element alone. */
const DATATYPE = /^(?:_|id$)/u;

/** What joins the keywords of a datatype. */
const stricter: Readonly<Record<string, object>> = {
  // The url and one value is all that can be there; that makes the rules about choices needless.
  Extension: {
    minProperties: 2,
    maxProperties: 2,
    not: undefined,
    dependentSchemas: undefined,
    hasAbsolute: 'url',
  },
  Coding: { isKnownCoding: true },
  Identifier: { hasAbsolute: 'system' },
  ContactPoint: { dependentRequired: { value: ['system'] } },
  Period: { isInOrder: true },
  xhtml: { isPlainNarrative: true },
};

function stricterSchema(name: string, { properties, ...rest }: PropertySchema): object {
  const left = Object.entries(properties ?? {}).filter(
    ([property]) => !(closer[name] ?? DATATYPE).test(property),
  );
  const members: Record<string, object> = Object.fromEntries(left);
  const references: string[] = [];
  for (const [property, { type, targets }] of structureOf(name)?.elements ?? []) {
    if (type !== 'Reference' || !members[property]) continue;
    members[property] = { ...members[property], refersTo: [...(targets ?? [])] };
    references.push(property);
  }
  const type = name.startsWith('nullable-') ? { type: 'string' } : {};
  const required = name === 'Endpoint' ? structureOf(name)?.required.map((each) => each.name) : rest.required;
  return {
    ...rest,
    ...(required && { required }),
    ...(properties && { properties: members }),
    ...type,
    ...stricter[name],
    ...(name === 'Endpoint' && { containsReferred: references }),
  };
}

/** Matches what its expression matches, but for some texts of which the walk has something to say. */
function stricterPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags);
  // ajv tells patterns apart by what toString gives.
  const toString = (): string => pattern.toString();
  if (source === ANYTHING) return { test: (text) => text.length > 0 && isSound(text), toString };
  const quick = quickTest(source);
  if (quick) return { test: (text) => quick(text) || (isVisibleAscii(text) && pattern.test(text)), toString };
  const shown = source.includes(FRACTION) ? shortFraction : (text: string): string => text;
  return { test: (text) => pattern.test(shown(text)) && !isImpossibleDate(text), toString };
}

function isSound(text: string): boolean {
  return text.length <= MAX_STRING && text.isWellFormed();
}

function compiled(): (value: unknown) => boolean {
  const regExp = Object.assign(stricterPattern, { code: 'new RegExp' });
  const ajv = new Ajv2020({ messages: false, code: { regExp } });
  for (const [keyword, test] of Object.entries(tests)) {
    ajv.addKeyword({
      keyword,
      code(context) {
        const { gen, data, schema } = context;
        const call = gen.scopeValue('func', {
          ref: (value: unknown, root: unknown) => test(value, schema, root),
        });
        context.pass(_`${call}(${data}, ${ROOT})`);
      },
    });
  }
  const definitions = Object.entries(endpointSchema.$defs).map(([name, schema]) => [
    name,
    stricterSchema(name, schema),
  ]);
  return ajv.compile({
    ...stricterSchema('Endpoint', endpointSchema),
    $defs: Object.fromEntries(definitions) as object,
  });
}

/** What the code of ajv calls the whole value. */
const ROOT = new Name('rootData');

/** What each keyword of our own asks of a value; in the code of ajv they are plain calls, without a context made for each. */
const tests: Readonly<Record<string, (value: unknown, schema: unknown, root: unknown) => boolean>> = {
  isInOrder,
  isPlainNarrative: (div) => typeof div === 'string' && isPlainNarrative(div),
  isKnownCoding,
  hasAbsolute,
  refersTo,
  containsReferred: (endpoint, references) =>
    arePlainContained((endpoint ?? {}) as Holder, references as readonly string[]),
};

function isInOrder(period: unknown): boolean {
  const { start, end } = (period ?? {}) as { start?: unknown; end?: unknown };
  return typeof start !== 'string' || typeof end !== 'string' || !endsBeforeStart(start, end);
}

function isKnownCoding(coding: unknown): boolean {
  const { system, code } = (coding ?? {}) as { system?: unknown; code?: unknown };
  if (typeof system !== 'string') return true;
  const codes = codesOfSystem(system);
  return codes ? typeof code !== 'string' || codes.has(code) : isAbsolute(system);
}

function hasAbsolute(holder: unknown, name: unknown): boolean {
  const uri = ((holder ?? {}) as Holder)[name as string];
  return typeof uri !== 'string' || isAbsolute(uri);
}

/** References that surely name one of the types: relative ones that begin with it, contained ones, and addresses elsewhere. */
function refersTo(value: unknown, schema: unknown, root: unknown): boolean {
  const targets = schema as readonly string[];
  const { reference } = (value ?? {}) as Holder;
  if (typeof reference !== 'string') return true;
  if (reference.startsWith('#')) {
    const type = containedType((root ?? {}) as Holder, reference);
    return typeof type === 'string' && targets.includes(type);
  }
  const end = reference.indexOf('/');
  return end < 0 || targets.includes(reference.slice(0, end)) || isAbsolute(reference);
}
