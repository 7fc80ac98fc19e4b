import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Parser } from 'n3';
import { beforeAll, describe, expect, test } from 'vitest';
import { readOntologyLayers, type OntologyFile } from '../../../src/model/ontology/directory.js';
import { shortNameIn } from '../../../src/model/ontology/term-names.js';
import { implausibleValues } from '../../../src/model/validate/plausible-values.js';
import { lintOntology } from '../../../src/model/query/check/lint.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const implants = join(root, 'examples', 'implants', 'implants.ttl');

let shipped: OntologyFile[];
let layer: string;

beforeAll(async () => {
  const folder = join(root, 'ontology');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ttl')).sort();
  shipped = await Promise.all(
    names.map(async (name) => ({ name, path: join(folder, name), text: await readFile(join(folder, name)) })),
  );
  layer = await readFile(implants, 'utf8');
});

const fileOf = (path: string, text: string): OntologyFile => ({ name: path, path, text: Buffer.from(text) });

/** The shipped ontology after an upgrade: with another version, and with one more file. */
function upgraded(version: string, more: string): OntologyFile[] {
  const header = shipped.map((file) =>
    file.name === 'ontology.ttl'
      ? fileOf(
          file.path,
          String(file.text).replace(/owl:versionInfo "[^"]*"/u, `owl:versionInfo "${version}"`),
        )
      : file,
  );
  const prefixes = String(shipped.find(({ name }) => name === 'calls.ttl')?.text)
    .split('\n')
    .filter((line) => line.startsWith('@prefix'))
    .join('\n');
  return [...header, fileOf('ontology/more.ttl', `${prefixes}\n${more}`)];
}

async function errors(below: readonly OntologyFile[], above: string): Promise<string[]> {
  const loaded = await readOntologyLayers([below, [fileOf('implants.ttl', above)]]);
  return lintOntology(loaded)
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, rule, message }) => `${file ?? ''}:${line ?? ''} ${rule} ${message}`);
}

const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;

/** Adds to the header of the layer, and to its end. */
const with_ = (header: string, more = ''): string =>
  `${layer.replace('owl:versionInfo "1.0" ;', `owl:versionInfo "1.0" ;${header}`)}\n${more}`;

describe('a layer on the shipped ontology', () => {
  test('adds its terms, its prefix and its version, and knows which term is whose', async () => {
    const { ontology } = await readOntologyLayers([shipped, [fileOf('implants.ttl', layer)]]);
    expect(ontology.layers.map(({ label, version }) => `${label} ${version}`)).toEqual([
      expect.stringMatching(/^Chartgraph record model and API \d+\.\d+$/u),
      'Implants 1.0',
    ]);
    const [own, clinics] = ontology.layers.map(({ terms }) => terms);
    const implant = 'https://clinic.example.org/terms#Implant';
    expect([own?.has(implant), clinics?.has(implant)]).toEqual([false, true]);
    expect(shortNameIn(ontology, implant)).toBe('clinic:Implant');
    expect(ontology.callByName.get('get_implants')?.sortProperties).toEqual([
      'https://clinic.example.org/terms#implantedOn',
    ]);
  });

  test('is short, and has nothing wrong with it', async () => {
    expect(layer.split('\n').length).toBeLessThanOrEqual(61);
    const loaded = await readOntologyLayers([shipped, [fileOf('implants.ttl', layer)]]);
    expect(lintOntology(loaded)).toEqual([]);
  });

  test('stays as it is when what is below gets a class and a later version', async () => {
    const boot =
      'sp:Boot a owl:Class ; rdfs:label "Boot" ; rdfs:comment "A boot." ; rdfs:subClassOf sp:Component .';
    expect(await errors(upgraded('0.99', boot), layer)).toEqual([]);
  });

  test('is told with file and line what an upgrade below breaks', async () => {
    const implant =
      'sp:Implant a owl:Class ; rdfs:label "Implant" ; rdfs:comment "Ours." ; rdfs:subClassOf sp:Statement ; api:base_path "/records/{record_id}/implants/{implant_id}" .';
    const call = `calls:list_implants a owl:NamedIndividual , api:Call ; rdfs:label "List" ; rdfs:comment "All." ;
      api:clientMethodName "list_implants" ; api:httpMethod "GET" ; api:path "/records/{record_id}/implants/" ;
      api:target sp:Implant ; api:category "record" ; api:cardinality "multiple" ; cg:answer "rdf" .`;
    expect(await errors(upgraded('0.99', `${implant}\n${call}`), layer)).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^implants.ttl:${lineOf(layer, 'api:path "/records/{record_id}/implants/"')} call-route clinic:get_implants has the same method and path as calls:list_implants`,
          'u',
        ),
      ),
    );
    const gone = upgraded('0.99', '').map((file) =>
      fileOf(file.path, String(file.text).replaceAll('sp:CodedValue', 'sp:Coding')),
    );
    expect(await errors(gone, layer)).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^implants.ttl:${lineOf(layer, 'sp:CodedValue')} undeclared-term sp:CodedValue is used by clinic:Implant`,
          'u',
        ),
      ),
    );
    expect(await errors(upgraded('1.0', ''), layer)).toEqual([
      expect.stringMatching(/^implants.ttl:\d+ layer-header .*below it is version 1\.0: check it/u),
    ]);
  });

  test('names its terms by its prefix where data means nothing', async () => {
    const { ontology } = await readOntologyLayers([shipped, [fileOf('implants.ttl', layer)]]);
    const implant = `@prefix clinic: <https://clinic.example.org/terms#> .
      <urn:x> a clinic:Implant ; clinic:implantedOn "2015-05-01" ; clinic:removedOn "2014-01-01" .`;
    expect(implausibleValues(ontology, new Parser().parse(implant)).map(({ message }) => message)).toEqual([
      'clinic:removedOn of clinic:Implant is before clinic:implantedOn.',
    ]);
  });

  test('changes what is below only where its header says so', async () => {
    const drug = 'sp:Medication rdfs:label "Drug" .';
    expect(await errors(shipped, with_('', drug))).toEqual([
      expect.stringMatching(
        /^implants.ttl:\d+ layer-replaces sp:Medication is below, and its rdfs:label is another/u,
      ),
    ]);
    const declared = with_(' cg:overrides sp:Medication ;', drug);
    expect(await errors(shipped, declared)).toEqual([]);
    const { ontology } = await readOntologyLayers([shipped, [fileOf('implants.ttl', declared)]]);
    expect(ontology.classes.get('http://smartplatforms.org/terms#Medication')?.label).toBe('Drug');
  });
});

/** What is changed in the layer, and the rule that tells of it. */
const mistakes: Record<string, readonly (readonly [was: string, is: string, rule: string])[]> = {
  'of the review': [
    ['cg:status clinic:implantStatus', 'cg:status clinic:serialNumber', 'page-status'],
    ['clinic:ImplantStatus ] ] .', 'sp:Code ] ] .', 'code-set'],
    ['cg:operator "from"', 'cg:operator "to"', 'filter-operator'],
    ['{implant_id}" ;\n    api:target', '{id}" ;\n    api:target', 'call-item-path'],
    [
      '"As engraved." ; cg:identifying "direct"',
      '"As engraved." ; cg:identifying "none"',
      'identifying-word',
    ],
  ],
  'of the review, where they hide others': [
    [' ; cg:over "true"', '', 'page-status'],
    ['"/records/{record_id}/implants/" ; api:target', '"/records/{record_id}/devices/" ; api:target', ''],
    [
      'api:clientMethodName "get_implants" ; api:httpMethod "GET"',
      'api:clientMethodName "add_implant" ; api:httpMethod "POST"',
      '',
    ],
    ['api:cardinality "multiple"', 'api:cardinality "single"', 'call-item-path'],
  ],
  'written without looking at the rules': [
    ['sh:prefix "clinic"', 'sh:prefix "sp"', 'layer-prefix'],
    ['org/terms#"', 'org/terms> SELECT ?all { ?all ?p ?o } #"', 'layer-prefix'],
    [/terms#\d+\.\d+>/u.exec(await readFile(implants, 'utf8'))?.[0] ?? '', 'terms#0.99>', 'layer-header'],
    ['cg:until clinic:removedOn', 'cg:until clinic:implantedOn', 'page-period'],
    [
      '"/records/{record_id}/implants/{implant_id}" ;\n    api:target clinic:Implant',
      '"/records/{record_id}/implants/{implant_id}" ;\n    api:target sp:Medication',
      'call-item-path',
    ],
    ['api:defaultSort "clinic:implantedOn"', 'api:defaultSort "sp:startDate"', 'compared-property'],
    ['cg:over "true"', 'cg:over "yes"', 'page-word'],
    ['"date_from"', '"limit"', 'filter-name'],
    ['?v clinic:implantedOn ?d', '?v sp:startDate ?d', 'compared-property'],
    [
      'clinic:implantStatus a owl',
      'sp:Medication rdfs:label "Drug" .\nclinic:implantStatus a owl',
      'layer-replaces',
    ],
    [
      'clinic:serialNumber a owl',
      'sp:Problem rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:notes ; owl:minCardinality "1"^^xsd:nonNegativeInteger ] .\nclinic:serialNumber a owl',
      'layer-replaces',
    ],
  ],
};

describe.each(Object.entries(mistakes))('mistakes in a layer %s', (_, changes) => {
  test('are all found, in the file of the layer', async () => {
    let text = layer;
    for (const [was, is] of changes) {
      expect(text, was).toContain(was);
      text = text.replace(was, is);
    }
    const loaded = await readOntologyLayers([shipped, [fileOf('implants.ttl', text)]]);
    const found = lintOntology(loaded).filter(({ file }) => file === 'implants.ttl');
    const rules = found.map(({ rule }) => rule);
    for (const [, , rule] of changes) if (rule !== '') expect(rules).toContain(rule);
    expect(found.every(({ line }) => line !== undefined)).toBe(true);
  });
});
