import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestContainer } from './container.js';

const root = resolve(import.meta.dirname, '..', '..');

/** A call as an attacker would add it to the shipped ontology. */
const call = (name: string, facts: string): string => `
@prefix api: <http://smartplatforms.org/terms/api#> . @prefix calls: <http://smartplatforms.org/terms/api/calls#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix sp: <http://smartplatforms.org/terms#> . @prefix cg: <https://chartgraph.example.org/terms#> .
calls:${name} a api:Call ; rdfs:label "${name}" ; rdfs:comment "An attack." ; api:clientMethodName "${name}" ;
  api:cardinality "single" ; ${facts} .
`;

const query = (where: string): string =>
  `PREFIX sp: <http://smartplatforms.org/terms#>\nCONSTRUCT { ?s ?p ?o }\nWHERE { ${where} }\n`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartgraph-exposed-'));
  for (const name of ['ontology', 'queries'])
    await cp(join(root, name), join(folder, name), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const edit = async (file: string, from: string, to: string): Promise<void> => {
  const text = await readFile(join(folder, file), 'utf8');
  const at = text.indexOf(from);
  if (at < 0) throw new Error(`${file} does not hold ${from}`);
  await writeFile(join(folder, file), text.slice(0, at) + to + text.slice(at + from.length));
};

/** The one word that matters: the scope of a call of the shipped ontology. */
async function rescope(name: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(folder, 'ontology', 'calls.ttl'), 'utf8');
  const at = text.indexOf(`calls:${name} a `);
  const changed = text.slice(at).replace(new RegExp(`(api:category\\s+)"${from}"`), `$1"${to}"`);
  if (at < 0 || changed === text.slice(at)) throw new Error(`${name} has no scope ${from}`);
  await writeFile(join(folder, 'ontology', 'calls.ttl'), text.slice(0, at) + changed);
}

const add = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text);

const start = (): Promise<unknown> =>
  startTestContainer({ ontology: join(folder, 'ontology'), queries: join(folder, 'queries'), seed: false });

/** [what is changed, how, what the container says against it] */
const attacks: readonly [string, () => Promise<unknown>, RegExp][] = [
  [
    'the scope of a statement of a record is container',
    () => rescope('get_medication', 'record', 'container'),
    /calls:get_medication has the scope container, but .* belongs to a record\. \(call-access\)/,
  ],
  [
    'the scope of a POST is container',
    () => rescope('post_clinical_note', 'record', 'container'),
    /has the scope container, but it writes \(POST\), which asks for a token\. \(call-access\)/,
  ],
  [
    'the scope of a DELETE of what an app stored is container',
    () => rescope('delete_scratchpad_data', 'record', 'container'),
    /it writes \(DELETE\).*\(call-access\)/,
  ],
  [
    'the scope of preferences is container',
    () => rescope('get_user_preferences', 'user', 'container'),
    /belongs to a user\. \(call-access\)/,
  ],
  [
    'a search no longer says that it discloses people',
    () => edit('ontology/calls.ttl', '    cg:discloses            "directory" ;\n', ''),
    /calls:search_records has the scope container, but its target sp:Demographics belongs to a record/,
  ],
  [
    'a new call of the container lists a statement of every record',
    async () => {
      const facts = 'api:httpMethod "GET" ; api:path "/all_problems/" ; api:target sp:Problem ;';
      await add('ontology/x.ttl', call('get_all', `${facts} api:category "container" ; cg:answer "rdf"`));
      await add('queries/get_all.rq', query('GRAPH ?g { ?g a sp:Problem . ?s ?p ?o }'));
    },
    /calls:get_all has the scope container, but its target sp:Problem belongs to a record\. \(call-access\)/,
  ],
  [
    'a search discloses statements that are not about who people are',
    async () => {
      const facts = 'api:httpMethod "GET" ; api:path "/all_problems/" ; api:target sp:Problem ;';
      const scope = 'api:category "container" ; cg:discloses "directory" ; cg:answer "rdf"';
      await add('ontology/x.ttl', call('get_all', `${facts} ${scope}`));
      await add('queries/get_all.rq', query('GRAPH ?g { ?g a sp:Problem . ?s ?p ?o }'));
    },
    /states cg:discloses, but finds no people and names no user of the container\. \(call-discloses\)/,
  ],
  [
    'problems are declared as demographics, and the search reads them',
    async () => {
      await add(
        'ontology/x.ttl',
        '@prefix sp: <http://smartplatforms.org/terms#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . sp:Problem rdfs:subClassOf sp:Demographics .',
      );
      await edit('queries/search_records.rq', 'a sp:Demographics .', 'a sp:Problem .');
    },
    /a graph \?statement may be read that is nothing that the call is about/,
  ],
  [
    'statements are declared as manifests, and the list of manifests reads them',
    async () => {
      await add(
        'ontology/x.ttl',
        '@prefix sp: <http://smartplatforms.org/terms#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . sp:Statement rdfs:subClassOf sp:AppManifest .',
      );
    },
    /calls:get_app_manifests has the scope container, but sp:\w+, which stands beneath its target, belongs to a record/,
  ],
  [
    'the search of people goes on to all that belongs to their records',
    () =>
      edit(
        'queries/search_records.rq',
        '  GRAPH ?statement { ?s ?p ?o }',
        '  GRAPH ?statement { ?statement sp:belongsTo ?record }\n  GRAPH ?x { ?x sp:belongsTo ?record . ?s ?p ?o }',
      ),
    /a graph \?x may be read that is nothing that the call is about/,
  ],
];

describe('the container does not start when', () => {
  test.each(attacks)('%s', async (_, attack, says) => {
    await attack();
    await expect(start()).rejects.toThrow(says);
  });
});
