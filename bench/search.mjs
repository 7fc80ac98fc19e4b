import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from '../dist/disk/data-directory.js';
import { loadQueries } from '../dist/query/load.js';
import { blankNode, literal, namedNode, quad } from '../dist/rdf/terms.js';
import { dcterms, foaf, rdf, sp, vcard } from '../dist/rdf/vocabulary.js';
import { readList } from '../dist/records/lists/list.js';
import { openTruth } from '../dist/store/truth.js';
import { inTurn, result } from './measure.mjs';
import { base, model, openStore, root } from './patients.mjs';

const ROUNDS = 20;
// prettier-ignore
const syllables = ['an', 'ber', 'col', 'dar', 'el', 'far', 'gor', 'hal', 'in', 'jor', 'kel', 'lin', 'mar', 'nor',
  'ost', 'per', 'quin', 'ros', 'sol', 'tor', 'ul', 'ver', 'wes', 'yor', 'zan'];

/** Searches over many names through the index, against a scan of all names for the same beginning. */
export async function nameSearch({ names = 20_000 } = {}) {
  const { store, close } = await filled(names);
  const call = model.ontology.callByName.get('search_records');
  const query = (await loadQueries(join(root, 'queries'), model.ontology)).get(call.name);
  const search = (terms) => () =>
    readList(store, model.ontology, {
      call,
      query,
      values: {},
      given: new Map(Object.entries({ limit: '20', ...terms }).map(([name, value]) => [name, [value]])),
      counted: false,
    });
  const scan = () =>
    store.select(
      `SELECT ?s { GRAPH ?s { ?s <${vcard.n}>/<${vcard['family-name']}> ?name } FILTER (STRSTARTS(LCASE(?name), "lin")) } ORDER BY ?s LIMIT 20`,
    );
  const searches = {
    'family name, one letter': [{ family_name: 'l' }, 0.5],
    'family name, three letters': [{ family_name: 'lin' }, 0.3],
    'family name, six letters': [{ family_name: 'linmar' }, 0.1],
    'both names, two letters': [{ family_name: 'li', given_name: 'ma' }, 0.2],
    'record number and gender': [{ medical_record_number: '1234', gender: 'female' }, 0.05],
    'postal code': [{ zipcode: '10123' }, 0.1],
  };
  try {
    const [peer, ...times] = await inTurn(
      [scan, ...Object.values(searches).map(([terms]) => search(terms))],
      ROUNDS,
    );
    return Object.entries(searches).map(([name, [, goal]], index) =>
      result(`${name}, of ${names}, against a scan`, times[index], peer, goal),
    );
  } finally {
    await close();
  }
}

async function filled(names) {
  const dir = await mkdtemp(join(tmpdir(), 'chartgraph-bench-'));
  const directory = await openDataDirectory(dir, { create: true });
  const truth = openTruth(directory, base);
  for (let from = 0; from < names; from += 2000) {
    await truth.write({ replace: Array.from({ length: 2000 }, (_, index) => person(from + index)) });
  }
  await directory.close();
  return openStore(dir);
}

/** The demographics of an invented patient; all numbers give other names. */
function person(number) {
  const name = `${base}/records/${number}/demographics`;
  const [card, address, chart] = ['n', 'a', 'm'].map((label) => blankNode(label));
  const own = namedNode(name);
  const say = (subject, property, value) =>
    quad(subject, namedNode(property), typeof value === 'string' ? literal(value) : value);
  return {
    name,
    quads: [
      say(own, rdf.type, namedNode(sp.Demographics)),
      say(own, sp.belongsTo, namedNode(`${base}/records/${number}`)),
      say(own, vcard.n, card),
      say(card, vcard['family-name'], nameOf(number)),
      say(card, vcard['given-name'], nameOf(number * 7 + 3)),
      say(own, vcard.bday, `${1930 + (number % 80)}-0${1 + (number % 9)}-1${number % 10}`),
      say(own, foaf.gender, number % 2 ? 'male' : 'female'),
      say(own, vcard.adr, address),
      say(address, vcard['postal-code'], String(10_000 + (number % 500))),
      say(own, sp.medicalRecordNumber, chart),
      say(chart, dcterms.identifier, String(number)),
    ],
  };
}

function nameOf(number) {
  const many = syllables.length;
  const parts = [number * 31, Math.floor(number / many), Math.floor(number / many / many)];
  const name = parts.map((part) => syllables[part % many]).join('');
  return name[0].toUpperCase() + name.slice(1);
}
