import type { CallModel } from '../ontology/model.js';
import { Problem } from '../problem.js';

/** The query parameters of a request, checked: declared ones with all their values, and the wanted serialisation. */
export interface QueryParameters {
  readonly declared: ReadonlyMap<string, readonly string[]>;
  readonly format: string | undefined;
}

/** Protocol parameters may travel in the query (RFC 5849 §3.5.3); they say nothing to a call. */
const isProtocol = (name: string): boolean => name.startsWith('oauth_');

/**
 * Holds the query parameters against what the ontology declares for the call: an unknown one would be
 * ignored silently and return everything, so it is refused.
 * @param pairs decoded names and values in their order
 * @throws Problem unknown-parameter, or invalid-parameter for a value with control characters
 */
export function checkParameters(call: CallModel, pairs: readonly [string, string][]): QueryParameters {
  const declared = new Map<string, string[]>();
  if (pairs.length === 0) return { declared, format: undefined };
  const names = [...call.parameters, ...call.filters].map(({ name }) => name);
  let format: string | undefined;
  for (const [name, value] of pairs) {
    if (isProtocol(name)) continue;
    if (name === '_format') {
      if (format !== undefined) throw twice(name);
      format = value;
    } else if (names.includes(name)) {
      checkCharacters(name, value);
      declared.set(name, [...(declared.get(name) ?? []), value]);
    } else {
      throw unknown(call, name, names);
    }
  }
  return { declared, format };
}

function unknown(call: CallModel, name: string, names: string[]): Problem {
  const known = names.length > 0 ? `It knows ${[...new Set(names)].join(', ')}.` : 'It knows none.';
  return new Problem('unknown-parameter', `${call.name} has no query parameter of this name. ${known}`, {
    extra: { parameter: name.slice(0, 64) },
  });
}

function twice(name: string): Problem {
  return new Problem('invalid-parameter', `${name} is given more than once; give it once.`, {
    extra: { parameter: name },
  });
}

function checkCharacters(name: string, value: string): void {
  if (/[\u0000-\u001f\u007f]/.test(value)) {
    throw new Problem('invalid-parameter', `${name} holds a control character; remove it.`, {
      extra: { parameter: name },
    });
  }
}
