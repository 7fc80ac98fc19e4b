import type { Rule } from '../../ontology/check/rule.js';

/** Rules about files themselves, whatever they hold. */
export const fileRules = [
  {
    id: 'syntax',
    severity: 'error',
    summary: 'An ontology file is Turtle, a manifest is JSON.',
    hint: 'Mend the file where the message says.',
  },
  {
    id: 'manifest',
    severity: 'error',
    summary: 'An app manifest has the members that the container and launchers need.',
    hint: 'Add or change the member that the message names.',
  },
  {
    id: 'users',
    severity: 'error',
    summary: 'The file users.json lists users with their names, roles and records.',
    hint: 'Compare it with users.json of the shipped seed.',
  },
  {
    id: 'unknown-file',
    severity: 'error',
    summary: 'A file that is named to be checked is of a kind that can be checked.',
    hint: 'Name RDF data, an app manifest, users.json, or a folder of them; the extension tells the kind.',
  },
] as const satisfies readonly Rule[];
