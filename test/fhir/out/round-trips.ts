import { isObject, type JsonObject } from '../../../src/rdf/json-object.js';
import { idOfPath } from '../../../src/fhir/out/export-names.js';
import { sp } from '../../../src/rdf/vocabulary.js';
import { statementPathOf } from '../../../src/records/resource-paths.js';
import type { NamedGraph } from '../../../src/store/graph-store.js';
import type { PrimaryStore } from '../../../src/store/primary-store.js';
import { isReadPath } from '../element-table.js';
import { mapping, ontology } from '../support.js';
import { differences, exportQueries } from './support.js';
import { variantsOf } from './made-statements.js';

type Statements = Readonly<Record<string, readonly string[]>>;

/** The names of statements by the ids of what they go out as; a set of vital signs goes out as several. */
function namesById(recordId: string, statements: Statements): Map<string, string> {
  const parts = [...(ontology.classes.get(sp.VitalSignSet)?.rules.keys() ?? [])].map((each) =>
    each.replace(/^.*#/u, '#'),
  );
  return new Map(
    Object.keys(statements).flatMap((path) =>
      ['', ...parts].map((part) => [idOfPath(`${recordId}/${path}${part}`), path] as const),
    ),
  );
}

/**
 * Adds what differs between the statements of a record and what came in again: as `problems -startDate`, once for each
 * class and property, or `problems kept`: in words.
 */
export function addDifferences(
  recordId: string,
  before: Statements,
  came: Statements,
  into: Map<string, string>,
): void {
  const names = namesById(recordId, before);
  const nameOf = (id: string): string | undefined => names.get(id.replace(/^MedicationStatement_/u, ''));
  const after = new Map<string, Set<string>>();
  for (const [path, lines] of Object.entries(came)) {
    const name = nameOf(path.replace(/^.*\//u, '')) ?? path;
    const link = (line: string): string =>
      line.replace(/ (\S+)$/u, (whole, id: string) => nameOf(id)?.replace(/^.*\//u, ' ') ?? whole);
    after.set(name, new Set([...(after.get(name) ?? []), ...lines.map(link)]));
  }
  const once = Object.fromEntries(Object.entries(before).map(([path, lines]) => [path, [...new Set(lines)]]));
  const again = Object.fromEntries(Array.from(after, ([path, lines]) => [path, [...lines]]));
  for (const [path, lines] of Object.entries(differences(once, again))) {
    const segment = path.replace(/\/[^/]*$/u, '');
    const isInWords =
      lines.some((line) => line.startsWith('+ whyUnmapped')) && !segment.startsWith('unmapped');
    for (const line of isInWords ? [] : lines) {
      const [sign = '', property = ''] = line.split(' ');
      into.set(`${segment} ${sign}${property}`, `${path} ${line}`);
    }
    if (isInWords) into.set(`${segment} kept`, path);
  }
}

/** Statements of each class that goes out, made from those of a store. */
export function madeStatements(primary: PrimaryStore): NamedGraph[] {
  const names = primary.names(`${primary.base}/records/`);
  return [...exportQueries.keys()].flatMap((call) => {
    const model = ontology.classes.get(ontology.callByName.get(call)?.target ?? '');
    const path = model && statementPathOf(model);
    if (!model || !path?.item) return [];
    const own = names.filter((name) =>
      new RegExp(`^[^/]+/${path.segment}/[^/]+$`, 'u').test(name.slice(`${primary.base}/records/`.length)),
    );
    return variantsOf(
      model,
      own.map((name) => ({ name, quads: primary.graph(name) ?? [] })),
    );
  });
}

/** The values of a resource by the path of their elements, without places in lists. */
export function valuesIn(resource: JsonObject): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, path);
    else if (!isObject(value)) found.set(path, (found.get(path) ?? new Set()).add(String(value)));
    else
      for (const [key, each] of Object.entries(value))
        if (key !== 'resourceType') walk(each, `${path}.${key}`);
  };
  walk(resource, String(resource['resourceType']));
  return found;
}

/** Whether a text of a resource says a value, among other things. */
const isInWords = (value: string, resource: ReturnType<typeof valuesIn>): boolean =>
  [...resource].some(
    ([path, values]) =>
      /\.(?:text|valueString)$/u.test(path) && [...values].some((text) => text.includes(value)),
  );

/**
 * Adds how what goes out differs from what came in: `- path` is an element that the mapping reads and whose value is not
 * among those that go out, `+ path` one that did not come in.
 */
export function addLosses(
  came: readonly JsonObject[],
  out: readonly JsonObject[],
  into: Map<string, string>,
): void {
  const nameOf = ({ resourceType, id }: JsonObject): string => `${String(resourceType)}/${String(id)}`;
  const sent = new Map(out.map((resource) => [nameOf(resource), valuesIn(resource)]));
  for (const resource of came) {
    const [before, after] = [valuesIn(resource), sent.get(nameOf(resource))];
    if (!after) continue;
    const add = (sign: string, one: typeof before, other: typeof before): void => {
      for (const [path, values] of one)
        for (const value of values)
          if (
            !other.get(path)?.has(value) &&
            (sign === '+' || (isReadPath(path, mapping) && !isInWords(value, after)))
          )
            into.set(`${sign} ${path}`, `${nameOf(resource)} ${value}`);
    };
    add('-', before, after);
    add('+', after, before);
  }
}
