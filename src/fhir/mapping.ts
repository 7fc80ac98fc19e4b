import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Folders } from '../model/ontology/directory.js';
import type { ClassModel, Ontology } from '../model/ontology/model.js';
import { treeOrFault } from '../model/query/syntax.js';
import { hexDigest } from '../rdf/hex-digest.js';
import { writeTriples } from '../rdf/ntriples.js';
import { parseRdf } from '../rdf/parse.js';
import { literal, namedNode, say, type Quad } from '../rdf/terms.js';
import { dcterms, mapping, rdf, sp } from '../rdf/vocabulary.js';
import { statementPathOf, type StatementPath } from '../records/resource-paths.js';
import { elementsRead, type ElementsRead } from './elements-read.js';
import { edgesOf, type Edge } from './pattern-edges.js';
import { Chooser } from './chosen.js';
import { LossTable } from './loss-table.js';
import { CodeSystems, Meanings } from './mapping-tables.js';
import { ReadElement } from './read-element.js';
import { UnmadeReasons } from './unmade-reasons.js';
import { Unmapped } from './unmapped.js';
import { Words } from './words.js';

/** Where the mapping of FHIR R4 stands below a folder of queries. */
export const MAPPING_FOLDER = join('import', 'fhir-r4');

export const mappingFolders = (queries: Folders): string[] =>
  [queries].flat().map((folder) => join(folder, MAPPING_FOLDER));

/** Lists the files of a mapping by name; a folder that is not there has none. */
export async function mappingFiles(folders: Folders): Promise<string[]> {
  const files: string[] = [];
  for (const folder of [folders].flat())
    files.push(...(await readdir(folder).catch(() => [])).sort().map((name) => join(folder, name)));
  return files;
}

/** What makes statements of one class. */
export interface StatementMaker {
  /** The class of its statements, and where these stand in a record. */
  readonly target: ClassModel;
  readonly path: StatementPath;
  /** The types of resources that it makes statements of. */
  readonly sources: readonly string[];
  /** Where the reference to the patient stands in such a resource; empty for a patient itself. */
  readonly patient: readonly string[];
}

/** One query of a mapping: it makes the statements of one class. */
export interface MappingQuery extends StatementMaker {
  /** Its file name without the extension. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** The comment that it begins with, in one paragraph. */
  readonly summary: string;
  /** The variables of such a resource and of its patient. */
  readonly subject: string;
  readonly patientNode: string;
  /** What stands in its template. */
  readonly template: readonly Edge[];
  readonly read: ElementsRead;
}

/** How FHIR R4 becomes statements: queries, and the tables that they look up codes and units in. */
export interface Mapping {
  readonly queries: readonly MappingQuery[];
  /** What keeps resources of which no query makes a statement. */
  readonly unmapped: Unmapped;
  /** All that makes statements: the queries, and what keeps the rest. */
  readonly makers: readonly StatementMaker[];
  /** What any query reads, by type of resource. */
  readonly elements: ReadonlyMap<string, ReadElement>;
  /** Types of which no statement is made, but which others refer to for what they say. */
  readonly lookups: ReadonlySet<string>;
  /** Types of which statements are made, and which others refer to for what they say as well: a prescription. */
  readonly joined: ReadonlySet<string>;
  readonly tables: readonly Quad[];
  readonly losses: LossTable;
  readonly unmade: UnmadeReasons;
  readonly chooser: Chooser;
  readonly meanings: Meanings;
  readonly systems: CodeSystems;
  readonly words: Words;
  /** Of statements of each segment the type of resource that names them by its id alone. */
  readonly plainTypes: ReadonlyMap<string, string>;
  /** Types of these from which queries follow a reference further. */
  readonly linking: ReadonlySet<string>;
  /** Of each type of resource the version of what makes statements of it: another one may make others. */
  readonly versions: ReadonlyMap<string, string>;
}

/** A mapping that cannot be used; the message begins with the file. */
export class MappingError extends Error {
  constructor(
    readonly file: string,
    readonly line: number | undefined,
    readonly reason: string,
  ) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`);
    this.name = 'MappingError';
  }
}

/**
 * Reads the mapping of folders: each `.rq` is a query, each `.ttl` a table.
 * @param folders `import/fhir-r4` below each folder of queries
 * @throws MappingError
 */
export async function readMapping(folders: Folders, ontology: Ontology): Promise<Mapping> {
  const files = await mappingFiles(folders);
  const [first = ''] = [folders].flat();
  if (files.length === 0)
    throw new MappingError(first, undefined, 'There is no folder with the mapping of FHIR R4.');
  const queries: MappingQuery[] = [];
  const tables: Quad[] = [];
  const tableTexts: string[] = [];
  for (const file of files) {
    if (file.endsWith('.rq')) queries.push(readQuery(file, await readFile(file, 'utf8'), ontology));
    else if (file.endsWith('.ttl')) {
      tables.push(...(await readTable(file)));
      tableTexts.push(await readFile(file, 'utf8'));
    }
  }
  const all = combined(queries);
  const [meanings, systems] = [new Meanings(tables), new CodeSystems(tables)];
  const chooser = new Chooser(tables, systems, meanings);
  const losses = new LossTable(tables, all.elements);
  const unmade = new UnmadeReasons(tables, meanings);
  const words = new Words(tables, systems);
  const unmapped = new Unmapped(tables, queries, ontology, { losses, unmade, words });
  const makers = [...queries, ...unmapped.kinds];
  return {
    ...all,
    queries,
    unmapped,
    makers,
    plainTypes: plainTypesOf(makers),
    tables,
    losses,
    unmade,
    chooser,
    meanings,
    systems,
    words,
    versions: versionsOf(queries, tableTexts),
  };
}

/** The versions of the mapping of types: digests of their queries and of the tables. */
function versionsOf(queries: readonly MappingQuery[], tables: readonly string[]): Map<string, string> {
  const types = new Set(queries.flatMap(({ sources }) => sources));
  const textOf = (type: string): string =>
    [...queries.filter(({ sources }) => sources.includes(type)).map(({ text }) => text), ...tables].join(
      '\0',
    );
  return new Map(Array.from(types, (type) => [type, hexDigest(textOf(type)).slice(0, 8)]));
}

/** Reads a table. @throws MappingError where it is no Turtle */
export async function readTable(file: string): Promise<Quad[]> {
  try {
    return await parseRdf(await readFile(file), { format: 'turtle', baseIRI: 'urn:table:' });
  } catch (error) {
    const { line, reason } = error as { line?: number; reason?: string };
    throw new MappingError(file, line, reason ?? (error instanceof Error ? error.message : String(error)));
  }
}

/**
 * Reads one query.
 * @param tree what the parser makes of the text, where that is known already
 * @throws MappingError where it is no CONSTRUCT or makes no statements of one class
 */
export function readQuery(
  file: string,
  text: string,
  ontology: Ontology,
  tree = treeOrFault(text, 'construct'),
): MappingQuery {
  if ('reason' in tree) throw new MappingError(file, tree.line, tree.reason);
  const template = edgesOf(tree, tree.template);
  const edges = edgesOf(tree, tree.where);
  const read = elementsRead(edges);
  const belongs = template.find(({ path }) => path?.[0] === sp.belongsTo);
  if (!belongs || !('node' in belongs.object))
    throw new MappingError(file, undefined, 'no statement of its template says what record it belongs to.');
  const { subject } = belongs;
  const target = classOf(subject, template, ontology);
  const path = target && statementPathOf(target);
  if (!path)
    throw new MappingError(file, undefined, `?${subject} is of no class that has statements in a record.`);
  const sources = [...(read.nodes.get(subject) ?? [])].map((element) => element.path);
  if (sources.length === 0)
    throw new MappingError(
      file,
      undefined,
      `?${subject} is no resource: write ?${subject} a fhir:Condition, or another type.`,
    );
  const patientNode = belongs.object.node;
  const patient = patientPath(subject, patientNode, edges);
  if (patient === undefined)
    throw new MappingError(file, undefined, `nothing leads from ?${subject} to its patient ?${patientNode}.`);
  const name = file.replace(/^.*[\\/]/u, '').replace(/\.rq$/u, '');
  const summary = summaryOf(text);
  return {
    name,
    file,
    text,
    summary,
    target,
    path,
    sources,
    subject,
    patientNode,
    patient,
    template,
    read,
  };
}

function classOf(subject: string, template: readonly Edge[], ontology: Ontology): ClassModel | undefined {
  for (const edge of template) {
    if (edge.subject !== subject || edge.path?.[0] !== rdf.type || !('iri' in edge.object)) continue;
    const model = ontology.classes.get(edge.object.iri);
    if (model?.kind === 'statement') return model;
  }
  return undefined;
}

/** The elements from a resource to the reference that leads to its patient. */
function patientPath(subject: string, patient: string, edges: readonly Edge[]): string[] | undefined {
  if (subject === patient) return [];
  const edge = edges.find(
    ({ subject: from, path, object }) =>
      from === subject && path?.at(-1) === mapping.link && 'node' in object && object.node === patient,
  );
  return edge?.path?.slice(0, -1).map((iri) => iri.replace(/^.*[/#]/u, ''));
}

/** The comment lines at the head of a query, joined. */
function summaryOf(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('#'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^#\s*/u, ''))
    .join(' ')
    .trim();
}

/** What queries read together, by type of resource. */
export function combined(
  queries: readonly MappingQuery[],
): Pick<Mapping, 'elements' | 'lookups' | 'joined' | 'linking'> {
  const elements = new Map<string, ReadElement>();
  for (const { read } of queries) {
    for (const [type, element] of read.types) {
      const known = elements.get(type) ?? new ReadElement(type, type);
      known.merge(element);
      elements.set(type, known);
    }
  }
  const sources = new Set(queries.flatMap((query) => query.sources));
  const lookups = new Set([...elements.keys()].filter((type) => !sources.has(type)));
  // A query that decides over all resources of a patient reads them beside each other.
  const beside = queries
    .filter(({ path }) => path.item)
    .flatMap(({ subject, read }) =>
      [...read.nodes].flatMap(([node, found]) => (node === subject ? [] : [...found])),
    );
  const joined = new Set(beside.map(({ path }) => path).filter((path) => sources.has(path)));
  const leadsOn = (element: ReadElement | undefined): boolean =>
    element !== undefined && (element.link || [...element.children.values()].some(leadsOn));
  const linking = new Set([...lookups].filter((type) => leadsOn(elements.get(type))));
  return { elements, lookups, joined, linking };
}

function plainTypesOf(makers: readonly StatementMaker[]): Map<string, string> {
  const plainTypes = new Map<string, string>();
  for (const {
    path,
    sources: [first = ''],
  } of makers)
    if (!plainTypes.has(path.segment)) plainTypes.set(path.segment, first);
  return plainTypes;
}

/** The tables as N-Triples, with what the ontology says of each code that it knows. */
export function tablesText({ tables }: Pick<Mapping, 'tables'>, ontology: Ontology): string {
  const codes = [...ontology.codes.values()].flatMap(({ iri, title, system, identifier, classes }) => {
    const code = namedNode(iri);
    return [
      say(code, dcterms.title, literal(title)),
      say(code, dcterms.identifier, literal(identifier)),
      say(code, sp.system, literal(system)),
      ...classes.map((type) => say(code, rdf.type, namedNode(type))),
    ];
  });
  return writeTriples([...tables, ...codes]);
}
