import { join } from 'node:path';
import { isObject } from '../rdf/json-object.js';
import { UsageError } from './command-errors.js';
import { readText } from './read-text.js';

export const CONFIG_FILE = 'chartgraph.config.json';

/**
 * The values in chartgraph.config.json by the names of their settings; empty where there is no such file.
 * @param names all settings; a key is one of them, spelled like the flag or in camelCase
 * @throws UsageError for a file that is no JSON object, an unknown key, or one that is given twice
 */
export function readConfigFile(cwd: string, names: readonly string[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const text = textOf(join(cwd, CONFIG_FILE));
  if (text === undefined) return found;
  for (const [key, value] of Object.entries(parse(text))) {
    const name = names.find((candidate) => candidate === key || camelCase(candidate) === key);
    if (name === undefined) {
      throw new UsageError(
        `${CONFIG_FILE} has an unknown key ${JSON.stringify(key)}; known are ${names.join(', ')}.`,
      );
    }
    if (found.has(name)) throw new UsageError(`${CONFIG_FILE} gives ${name} twice.`);
    found.set(name, value);
  }
  return found;
}

/** `base-url` as commander and JSON spell it: `baseUrl`. */
export function camelCase(name: string): string {
  return name.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

function textOf(file: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${CONFIG_FILE} is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) {
    throw new UsageError(`${CONFIG_FILE} must hold one JSON object.`);
  }
  return value;
}
