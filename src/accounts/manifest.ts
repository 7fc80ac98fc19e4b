import { isObject } from '../rdf/json-object.js';
import { AccountError } from './account-error.js';
import type { AppMode } from './apps.js';
import { manifestKeys, MODE_ONLY } from './manifest-keys.js';

/** An app manifest that holds to the rules; keys it may have beyond these stay as they are. */
export interface AppManifest {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly mode: AppMode;
  readonly index?: string;
  readonly icon?: string;
  readonly oauth_callback?: string;
  readonly [key: string]: unknown;
}

/** Why a JSON value is not an app manifest: each problem is a sentence that names its key. */
export class ManifestError extends AccountError {
  constructor(readonly problems: readonly string[]) {
    super(problems.join(' '));
    this.name = 'ManifestError';
  }
}

/**
 * What is wrong with an app manifest.
 * @param value a parsed JSON value
 * @returns one sentence for each problem, in the order of the keys; none when it is a manifest
 */
export function manifestProblems(value: unknown): string[] {
  if (!isObject(value)) return ['An app manifest is a JSON object.'];
  const mode = value['mode'];
  const problems: string[] = [];
  for (const [key, { required, check }] of Object.entries(manifestKeys)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given === undefined) {
      if (required === true || (required === 'for-people' && mode !== 'background')) {
        problems.push(
          required === true ? `${key} is missing.` : `${key} is missing; only a background app has none.`,
        );
      }
    } else if (mode === 'background' && MODE_ONLY.has(key)) {
      problems.push(`${key} is not for a background app, which no person sees.`);
    } else {
      const problem = check(given);
      if (problem !== undefined) problems.push(`${key} ${problem}.`);
    }
  }
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(manifestKeys, key));
  return [...problems, ...unknown.map((key) => `${JSON.stringify(key)} is not a key of an app manifest.`)];
}

/** Gives a parsed JSON value as an app manifest. @throws ManifestError with every problem */
export function readManifest(value: unknown): AppManifest {
  const problems = manifestProblems(value);
  if (problems.length > 0) throw new ManifestError(problems);
  return value as AppManifest;
}
