import { FORMER_KEY_VARIABLE, KEY_VARIABLE, NEW_KEY_VARIABLE } from '../disk/key-file.js';
import { nearestName } from '../rdf/nearest-name.js';
import { count, visible } from './output.js';
import { isServiceLink } from './service-links.js';
import { settingVariables, type Surroundings } from './settings.js';

/** Those of tests, and the token that programs of analysts send, are no business of commands. */
const ofOthers = /^CHARTGRAPH_(?:TEST_|TOKEN$)/u;

const known: ReadonlySet<string> = new Set([
  ...settingVariables,
  KEY_VARIABLE,
  FORMER_KEY_VARIABLE,
  NEW_KEY_VARIABLE,
]);
/** A name that differs in more than so many characters was not meant. */
const FAR = 2;

/**
 * A sentence about the variables that look like settings and are none, each with the one that is most like it: a
 * setting that is mistyped does nothing. Their values are never told.
 * @returns undefined where there is no such variable
 */
export function unknownVariables(env: Surroundings['env']): string | undefined {
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith('CHARTGRAPH_') && !known.has(name) && !ofOthers.test(name) && !isServiceLink(env, name),
  );
  if (unknown.length === 0) return undefined;
  const told = unknown.sort().map((name) => {
    const meant = nearestName(name, known, FAR);
    return visible(name) + (meant === undefined ? '' : ` (did you mean ${meant}?)`);
  });
  return `${count(unknown.length, 'environment variable')} that nothing reads: ${told.join(', ')}`;
}
