import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { SparqlEndpointFetcher } from 'fetch-sparql-endpoint';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { folder, start } from '../cli/run.js';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';
import { canImport } from './can-import.js';
import { fusekiJar } from './sparql-engines.js';

const run = promisify(execFile);

const hasWrapper = canImport('SPARQLWrapper');
const hasRdflib = canImport('rdflib');
const hasPython = canImport('csv');
const hasPandas = canImport('pandas');
const hasDuckdb = canImport('duckdb');
const hasR = spawnSync('Rscript', ['--version']).status === 0;
if (!hasR) console.warn('R is skipped, which is not installed (apt install r-base-core).');
if (!hasPandas) console.warn('pandas is skipped, which Python cannot import (pip install pandas).');
if (!hasDuckdb) console.warn('DuckDB is skipped, which Python cannot import (pip install duckdb).');
if (!hasWrapper || !hasRdflib)
  console.warn('Clients of SPARQL are skipped that Python cannot import (pip install SPARQLWrapper rdflib).');

const PREFIX = 'PREFIX sp: <http://smartplatforms.org/terms#>';

const PARQUET_QUERY = `${PREFIX} PREFIX cg: <https://chartgraph.example.org/terms#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> SELECT ?s ?earliest (COUNT(*) AS ?n) { ?s a sp:Problem ; sp:startDate/^rdf:value/cg:earliest ?earliest } GROUP BY ?s ?earliest ORDER BY ?s`;

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
/** Types that pandas finds by itself in a column of numbers, one of instants, and one with gaps. */
const PANDAS = `
import json, sys, pandas
url, token = sys.argv[1:3]
query = "${PREFIX} PREFIX cg: <https://chartgraph.example.org/terms#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> SELECT ?s ?from ?end (1 AS ?one) { ?s a sp:Problem ; sp:startDate/^rdf:value/cg:earliest ?from OPTIONAL { ?s sp:endDate ?end } }"
import urllib.parse
table = pandas.read_csv(url + "/sparql?" + urllib.parse.urlencode({"query": query}),
    storage_options={"Accept": "text/csv", "Authorization": "Bearer " + token}, parse_dates=["from"])
print(json.dumps({
    "problems": int(table["s"].nunique()),
    "columns": list(table.columns),
    "one": str(table["one"].dtype),
    "from": str(table["from"].dtype).split("[")[0],
    "gaps": bool(table["end"].isna().any()),
}))
`;

/** The same with what every Python has. */
const CSV = `
import csv, io, json, sys, urllib.parse, urllib.request
url, token = sys.argv[1:3]
query = "${PREFIX} SELECT ?class (COUNT(*) AS ?n) { ?s a ?class } GROUP BY ?class"
request = urllib.request.Request(url + "/sparql?" + urllib.parse.urlencode({"query": query}),
    headers={"Accept": "text/csv", "Authorization": "Bearer " + token})
with urllib.request.urlopen(request) as answer:
    rows = list(csv.DictReader(io.TextIOWrapper(answer, "utf-8", newline="")))
print(json.dumps({row["class"]: int(row["n"]) for row in rows}))
`;

/** R as it is installed, with no package: rows become a data frame. */
const R = `
args <- commandArgs(trailingOnly = TRUE)
query <- "${PREFIX} SELECT ?class (COUNT(*) AS ?n) { ?s a ?class } GROUP BY ?class"
address <- paste0(args[1], "/sparql?query=", URLencode(query, reserved = TRUE))
answer <- url(address, headers = c(Accept = "text/csv", Authorization = paste("Bearer", args[2])))
table <- read.csv(answer)
cat(class(table$n), table$n[table$class == "http://smartplatforms.org/terms#Problem"])
`;

/** Reads the problems of the container as Parquet, and an analysis; what it got goes into a file of each. */
const PARQUET = `
import duckdb, json, sys, urllib.parse, urllib.request
url, token, folder = sys.argv[1:4]
def fetched(name, path, accept):
    request = urllib.request.Request(url + path, headers={"Accept": accept, "Authorization": "Bearer " + token})
    with urllib.request.urlopen(request) as answer, open(folder + "/" + name, "wb") as file:
        file.write(answer.read())
        return answer.headers["Content-Type"]
query = "${PARQUET_QUERY}"
kinds = [
    fetched("problems", "/sparql?" + urllib.parse.urlencode({"query": query}), "application/vnd.apache.parquet"),
    fetched("contents", "/analyses/record_contents?_format=parquet", "*/*"),
]
rows = lambda text, name: duckdb.sql(text.replace("FILE", "read_parquet('" + folder + "/" + name + "')")).fetchall()
print(json.dumps({
    "kinds": kinds,
    "columns": [row[:2] for row in rows("DESCRIBE SELECT * FROM FILE", "problems")],
    "problems": rows("SELECT count(DISTINCT s) FROM FILE WHERE n = 1 AND epoch_ms(earliest) < epoch_ms(now())", "problems")[0][0],
    "contents": [row[:2] for row in rows("DESCRIBE SELECT * FROM FILE", "contents")],
}))
`;

describe('clients that others wrote', () => {
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

  test.skipIf(!hasWrapper)('SPARQLWrapper asks in each way and reads each format', async () => {
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

  test.skipIf(!hasRdflib).each(['json', 'xml'])(
    'the SPARQLStore of rdflib reads triples and rows by way of %s',
    async (format) => {
      expect(await python(RDFLIB, format)).toEqual({ count: problems, triples: problems });
    },
  );

  test.skipIf(!hasPandas)('pandas reads rows as CSV, with numbers, instants and gaps', async () => {
    const dated = await server.ask(token, 'SELECT ?s { ?s a sp:Problem ; sp:startDate ?d }');
    expect(await python(PANDAS)).toEqual({
      problems: new Set((await dated.text()).trim().split('\n').slice(1)).size,
      columns: ['s', 'from', 'end', 'one'],
      one: 'int64',
      from: 'datetime64',
      gaps: true,
    });
  });

  test.skipIf(!hasPython)('the csv module of Python reads rows', async () => {
    expect(await python(CSV)).toMatchObject({ 'http://smartplatforms.org/terms#Problem': problems });
  });

  test.skipIf(!hasR)('R reads rows into a data frame, with numbers', async () => {
    const { stdout } = await run('Rscript', ['-e', R, server.url, token]);
    expect(stdout).toBe(`integer ${problems}`);
  });

  test.skipIf(!hasDuckdb)(
    'DuckDB reads Parquet with its types, and the command gives the same file',
    async () => {
      const into = folder();
      const dated = await server.ask(token, 'SELECT (COUNT(*) AS ?n) { ?s a sp:Problem ; sp:startDate ?d }');
      const parquet = 'application/vnd.apache.parquet';
      expect(await python(PARQUET, into)).toEqual({
        kinds: [parquet, parquet],
        columns: [
          ['s', 'VARCHAR'],
          ['earliest', 'TIMESTAMP WITH TIME ZONE'],
          ['n', 'BIGINT'],
        ],
        problems: Number((await dated.text()).split('\n')[1]),
        contents: [
          ['class', 'VARCHAR'],
          ['name', 'VARCHAR'],
          ['statements', 'BIGINT'],
          ['records', 'BIGINT'],
        ],
      });
      await writeFile(join(into, 'token'), token);
      const child = start([
        ...['query', '-', '--format', 'parquet'],
        ...['--server', server.url, '--token', join(into, 'token')],
      ]);
      child.stdin?.end(PARQUET_QUERY);
      expect(await buffer(child.stdout as Readable)).toEqual(await readFile(join(into, 'problems')));
    },
  );

  test('fetch-sparql-endpoint, by which Comunica asks, reads rows, triples and yes or no', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const fetcher = new SparqlEndpointFetcher({
        method,
        defaultHeaders: new Headers({ Authorization: `Bearer ${token}` }),
      });
      const endpoint = `${server.url}/sparql`;
      const rows: unknown[] = [];
      const select = `${PREFIX} SELECT ?s ?class { ?s a sp:Problem, ?class }`;
      for await (const row of await fetcher.fetchBindings(endpoint, select)) rows.push(row);
      expect(rows.length).toBe(problems);
      expect(rows[0]).toMatchObject({ class: { value: 'http://smartplatforms.org/terms#Problem' } });
      const triples: unknown[] = [];
      const construct = `${PREFIX} CONSTRUCT { ?s a sp:Problem } { ?s a sp:Problem }`;
      for await (const triple of await fetcher.fetchTriples(endpoint, construct)) triples.push(triple);
      expect(triples.length).toBe(problems);
      expect(await fetcher.fetchAsk(endpoint, 'ASK {}')).toBe(true);
    }
  });

  // A program in Java in the jar that .ci/run fetches where Java and Maven are.
  test.skipIf(fusekiJar === undefined)('rsparql of Jena reads rows', async () => {
    // It has no option for a token, so that somebody in front of it puts it in.
    const service = await withToken(`${server.url}/sparql`, token);
    const query = `${PREFIX} SELECT (COUNT(*) AS ?n) { ?s a sp:Problem }`;
    const java = ['-Xmx300m', '-cp', fusekiJar ?? '', 'arq.rsparql', '--service', service];
    const { stdout } = await run('java', [...java, '--results', 'CSV', query]);
    expect(stdout.split(/\s+/u).slice(0, 2)).toEqual(['n', String(problems)]);
  });
});

/** An address that passes on what it gets, with a token. @returns its URL */
async function withToken(to: string, token: string): Promise<string> {
  const front = createServer((request, response) => {
    const { search } = new URL(request.url ?? '/', to);
    const { method, headers } = request;
    const authorization = `Bearer ${token}`;
    const onward = httpRequest(to + search, { method, headers: { ...headers, authorization } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void front.close(() => resolve())));
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}/sparql`;
}
