import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';
import { canImport } from './can-import.js';

const run = promisify(execFile);

const hasWrapper = canImport('SPARQLWrapper');
const hasRdflib = canImport('rdflib');
if (!hasWrapper || !hasRdflib)
  console.warn('Clients of SPARQL are skipped that Python cannot import (pip install SPARQLWrapper rdflib).');

const PREFIX = 'PREFIX sp: <http://smartplatforms.org/terms#>';

/** Each form of query in each of its formats; prints what came of them as JSON. */
const WRAPPER = `
import json, sys, warnings
from SPARQLWrapper import SPARQLWrapper, JSON, XML, CSV, TSV, TURTLE, RDFXML, JSONLD, POST, POSTDIRECTLY, URLENCODED
url, token = sys.argv[1:3]
def ask(query, form, method="GET", way=URLENCODED):
    client = SPARQLWrapper(url + "/sparql")
    client.addCustomHttpHeader("Authorization", "Bearer " + token)
    client.setMethod(method)
    client.setRequestMethod(way)
    client.setQuery(query)
    client.setReturnFormat(form)
    return client.query().convert()
count = "${PREFIX} SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }"
number = lambda found: found["results"]["bindings"][0]["n"]["value"]
graph = "${PREFIX} CONSTRUCT { ?s a sp:Problem } { ?s a sp:Problem }"
print(json.dumps({
  "get": number(ask(count, JSON)),
  "post": number(ask(count, JSON, POST)),
  "direct": number(ask(count, JSON, POST, POSTDIRECTLY)),
  "xml": ask(count, XML).toxml().split("<literal")[1].split(">")[1].split("<")[0],
  "csv": ask(count, CSV).decode().split()[1],
  "tsv": ask(count, TSV).decode().split('"')[1],
  "ask": ask("ASK {}", JSON)["boolean"],
  "rdfxml": len(ask(graph, RDFXML)),
  "turtle": ask(graph, TURTLE).decode().count("sp:Problem"),
}))
`;

const RDFLIB = `
import json, sys
from rdflib import Graph, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore
url, token = sys.argv[1:3]
store = SPARQLStore(url + "/sparql", returnFormat=sys.argv[3], headers={"Authorization": "Bearer " + token})
graph = Graph(store=store)
rows = list(graph.query("${PREFIX} SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }"))
kind = URIRef("http://smartplatforms.org/terms#Problem")
type_ = URIRef("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
print(json.dumps({"count": int(rows[0][0]), "triples": len(list(graph.triples((None, type_, kind))))}))
`;

describe.skipIf(!hasWrapper || !hasRdflib)('clients that others wrote', () => {
  let server: AnalystServer;
  let token: string;
  let problems: number;

  beforeAll(async () => {
    server = await startAnalystServer();
    await server.user('ana', 'analyst');
    token = await server.token('ana');
    const counted = await server.ask(token, 'SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }');
    problems = Number((await counted.text()).split('\n')[1]);
    expect(problems).toBeGreaterThan(5);
  });
  afterAll(() => server.stop());

  const python = async (program: string, ...args: string[]): Promise<unknown> =>
    JSON.parse((await run('python3', ['-W', 'ignore', '-c', program, server.url, token, ...args])).stdout);

  test('SPARQLWrapper asks in each way and reads each format', async () => {
    const n = String(problems);
    expect(await python(WRAPPER)).toEqual({
      get: n,
      post: n,
      direct: n,
      xml: n,
      csv: n,
      tsv: n,
      ask: true,
      rdfxml: problems,
      turtle: problems,
    });
  });

  test.each(['json', 'xml'])(
    'the SPARQLStore of rdflib reads triples and rows by way of %s',
    async (format) => {
      expect(await python(RDFLIB, format)).toEqual({ count: problems, triples: problems });
    },
  );
});
