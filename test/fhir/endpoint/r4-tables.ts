import { partsAt, resourcesOf, valueAt, type Node } from './r4-definitions.js';

interface Named {
  readonly node: Node;
  readonly url: string;
}

const HL7 = ['http://hl7.org/fhir/StructureDefinition/', 'http://hl7.org/fhirpath/System.'];

/** Constraints that hold for what is read as such: elements, extensions, narratives, references; periods and contacts. */
const inherent = new Set(['ele-1', 'ext-1', 'txt-1', 'txt-2', 'dom-3', 'ref-1', 'per-1', 'cpt-2']);
/**
 * What is too dear for a check that is linear in its input, or looks beyond the element: of those that it leaves out,
 * all but ctm-1, que-2 and obs-7 are about definitions of FHIR itself.
 */
const beyond =
  /%context|%resource\.(?!type\b)|\b(?:descendants|children|resolve|replaceMatches|matches|tail|intersect)\(/u;

/**
 * The tables of src/fhir/endpoint/r4.json, made of HL7's definitions of R4 (4.0.1). An element is `name` with how often it
 * stands (nothing: at most once, `!` once, `*` often, `+` at least once), `?` where it can change the meaning of what it
 * stands in (isModifier), its types, those that a reference names in
 * brackets, and `#` with the value set that it must be taken from. A constraint is its sentence and its expression.
 */
export async function tablesOf(folder: string): Promise<object> {
  const [types, resources, values, v3, v2] = await Promise.all(
    [
      'profiles-types.xml',
      'profiles-resources.xml',
      'valuesets.xml',
      'v3-codesystems.xml',
      'v2-tables.xml',
    ].map((file) => resourcesOf(folder, file)),
  );
  const all = [values, v3, v2].flatMap((each) => each ?? []);
  const named = (type: string): Map<string, Named> =>
    new Map(
      all
        .filter((each) => each.type === type)
        .map(({ node }) => [valueAt(node, 'url'), { node, url: valueAt(node, 'url') }]),
    );
  const [systems, sets] = [named('CodeSystem'), named('ValueSet')];
  const used = new Set<string>();
  const structures: Record<string, string> = {};
  const constraints: Record<string, Record<string, string>> = {};
  const definitions = [...(types ?? []), ...(resources ?? [])]
    .filter(({ type, node }) => type === 'StructureDefinition' && isOwn(node))
    .map(({ node }) => node);
  const isResource = (definition: Node): boolean => valueAt(definition, 'kind') === 'resource';
  const names = new Set(definitions.filter(isResource).map((definition) => valueAt(definition, 'type')));
  const tables = { structures, constraints, used, sets, systems, resources: names };
  for (const definition of definitions) addDefinition(definition, tables);
  return {
    structures: sorted(structures),
    constraints: sorted(constraints),
    valueSets: sorted(
      Object.fromEntries(
        [...used].map((url) => [nameOf(url), (codesOf(url, sets, systems) ?? []).join(' ')]),
      ),
    ),
    codeSystems: sorted(
      Object.fromEntries(
        [...systems].flatMap(([url, { node }]) => {
          const codes = codesOfSystem(node);
          return isListed(url, codes) ? [[url, codes.join(' ')]] : [];
        }),
      ),
    ),
  };
}

function isListed(url: string, codes: readonly string[]): boolean {
  return (
    /^http:\/\/(?:terminology\.hl7\.org\/CodeSystem\/(?!v[23]-)|hl7\.org\/fhir\/)/u.test(url) &&
    codes.length > 0
  );
}

function isOwn(node: Node): boolean {
  return (
    valueAt(node, 'derivation') !== 'constraint' &&
    ['resource', 'complex-type'].includes(valueAt(node, 'kind'))
  );
}

/** Types that only others are made of; an Element stands beside a primitive, and a DomainResource says what all hold to. */
const abstract = new Set(['BackboneElement', 'Resource']);

interface Tables {
  readonly structures: Record<string, string>;
  readonly constraints: Record<string, Record<string, string>>;
  readonly used: Set<string>;
  readonly resources: ReadonlySet<string>;
  readonly sets: ReadonlyMap<string, Named>;
  readonly systems: ReadonlyMap<string, Named>;
}

function addDefinition(definition: Node, tables: Tables): void {
  const name = valueAt(definition, 'type');
  if (abstract.has(name)) return;
  const elements = new Map<string, string[]>();
  if (tables.resources.has(name)) elements.set(name, ['resourceType! resourceType']);
  const inner = new Set<string>();
  const all = partsAt(definition, 'snapshot', 'element');
  for (const element of all) if (isInner(element)) inner.add(valueAt(element, 'path'));
  for (const element of all) {
    const path = valueAt(element, 'path');
    const holder = path.slice(0, path.lastIndexOf('.'));
    addConstraints(path, element, tables);
    if ((path === name || inner.has(path)) && !elements.has(path)) elements.set(path, []);
    const own = path.slice(path.lastIndexOf('.') + 1);
    if (path !== name) elements.get(holder)?.push(elementText(own, path, element, inner, tables));
  }
  for (const [path, list] of elements) tables.structures[path] = list.join('; ');
}

function isInner(element: Node): boolean {
  return partsAt(element, 'type', 'code').some(
    ({ value }) => value === 'BackboneElement' || value === 'Element',
  );
}

function elementText(
  own: string,
  path: string,
  element: Node,
  inner: ReadonlySet<string>,
  tables: Tables,
): string {
  const [min, max] = [valueAt(element, 'min'), valueAt(element, 'max')];
  const often = max === '1' ? (min === '0' ? '' : '!') : min === '0' ? '*' : '+';
  const reference = valueAt(element, 'contentReference');
  // HL7 calls it a string, and describes an id.
  const isResourceId = own === 'id' && tables.resources.has(path.slice(0, -3));
  const types = isResourceId
    ? ['id']
    : inner.has(path)
      ? [path]
      : reference === ''
        ? partsAt(element, 'type').map(typeText)
        : [reference.slice(1)];
  const url = valueAt(element, 'binding', 'valueSet').replace(/\|.*/u, '');
  const isBound =
    valueAt(element, 'binding', 'strength') === 'required' && codesOf(url, tables.sets, tables.systems);
  if (isBound) tables.used.add(url);
  const isModifier = valueAt(element, 'isModifier') === 'true' ? '?' : '';
  return `${own}${often}${isModifier} ${types.join('|')}${isBound ? ` #${nameOf(url)}` : ''}`;
}

function typeText(type: Node): string {
  const code = HL7.reduce((text, prefix) => text.replace(prefix, ''), valueAt(type, 'code'));
  const targets = partsAt(type, 'targetProfile').map(({ value }) => nameOf(value));
  const isAny = targets.length === 0 || targets.includes('Resource');
  // Ids of elements, and of resources, are of a type of the language for paths; it says which with an extension.
  const actual = partsAt(type, 'extension').find(({ url }) => url.endsWith('fhir-type'));
  const name = actual === undefined ? code : valueAt(actual, 'valueUrl') || valueAt(actual, 'valueUri');
  return code === 'Reference' && !isAny ? `Reference(${targets.join(',')})` : name;
}

function addConstraints(path: string, element: Node, { constraints }: Tables): void {
  for (const constraint of partsAt(element, 'constraint')) {
    const [key, severity, human, expression] = ['key', 'severity', 'human', 'expression'].map((name) =>
      valueAt(constraint, name),
    ) as [string, string, string, string];
    if (severity !== 'error' || inherent.has(key) || expression === '' || beyond.test(expression)) continue;
    // Constraints of a datatype stand with the datatype.
    const source = nameOf(valueAt(constraint, 'source'));
    if (source !== '' && source !== path.split('.')[0]) continue;
    (constraints[path] ??= {})[key] = `${human.trim().replace(/\.$/u, '')} :: ${expression}`;
  }
}

function codesOf(
  url: string,
  sets: ReadonlyMap<string, Named>,
  systems: ReadonlyMap<string, Named>,
): string[] | undefined {
  const { node } = sets.get(url) ?? {};
  if (node === undefined || partsAt(node, 'compose', 'exclude').length > 0) return undefined;
  const codes: string[] = [];
  for (const include of partsAt(node, 'compose', 'include')) {
    if (partsAt(include, 'filter').length > 0) return undefined;
    const listed = partsAt(include, 'concept', 'code').map(({ value }) => value);
    const others = partsAt(include, 'valueSet').map(({ value }) =>
      codesOf(value.replace(/\|.*/u, ''), sets, systems),
    );
    const system = systems.get(valueAt(include, 'system'));
    if (listed.length > 0) codes.push(...listed);
    else if (others.length > 0) {
      for (const other of others) {
        if (other === undefined) return undefined;
        codes.push(...other);
      }
    } else if (system && valueAt(system.node, 'content') === 'complete')
      codes.push(...codesOfSystem(system.node));
    else return undefined;
  }
  return codes.some((code) => code.includes(' ')) ? undefined : [...new Set(codes)];
}

function codesOfSystem(node: Node): string[] {
  if (valueAt(node, 'content') !== 'complete') return [];
  const queue = [...partsAt(node, 'concept')];
  for (const concept of queue) queue.push(...partsAt(concept, 'concept'));
  return queue.map((concept) => valueAt(concept, 'code'));
}

function nameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

function sorted<T>(table: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1)));
}
