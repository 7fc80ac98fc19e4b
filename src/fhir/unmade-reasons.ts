import type { Quad } from '../rdf/terms.js';
import { isObject } from '../rdf/json-object.js';
import { mapping } from '../rdf/vocabulary.js';
import type { FhirResource } from './fhir-resources.js';
import { codesAt } from './loss-table.js';
import { rowsWith, type Meanings } from './mapping-tables.js';

/** What a resource has to have, or must not have, to become a statement. */
interface Row {
  /** Elements of one type, or of any (`*.status`); where it is asked for, one of them is enough. */
  readonly paths: readonly string[];
  readonly isBarred: boolean;
  /** Of what is barred, whether it is kept in words all the same. */
  readonly stays: boolean;
  /** The only values that count; with none, and no meanings, any value does. */
  readonly values: ReadonlySet<string>;
  /** Meanings that count (mapping-tables.ts). */
  readonly means: readonly string[];
  /** Only resources with this code as their status, their category or what they are about. */
  readonly among: string | undefined;
  /** Whether it is told only where no other row tells anything. */
  readonly isLast: boolean;
  readonly label: string;
}

type Told = Pick<FhirResource, 'type' | 'value'>;

/** Why resources give no statement, as the rows of a mapping's tables say. */
export class UnmadeReasons {
  readonly #known = new Map<string, readonly Row[]>();

  constructor(
    private readonly tables: readonly Quad[],
    private readonly meanings: Meanings,
  ) {}

  /**
   * All that keeps a resource from being a statement; undefined where no row knows.
   * @param modifiers for which it, or a part of it, is left out
   */
  of(resource: Told, modifiers: Iterable<string>): string | undefined {
    const told = this.#told(resource);
    const first = [
      ...told.filter(({ isLast }) => !isLast).map(({ label }) => label.replace('*', resource.type)),
      ...Array.from(modifiers, (path) => `${path} can change what it says, and no query reads it`),
    ];
    const labels = first.length > 0 ? first : told.map(({ label }) => label);
    return labels.length === 0 ? undefined : [...new Set(labels)].sort().join('; ');
  }

  /** Whether a resource gives no statement whatever else is loaded. */
  excludes(resource: Told): boolean {
    return this.#told(resource).some(({ isLast }) => !isLast);
  }

  /** Whether something keeps a resource from being kept even in words: it is voided, say, or about somebody else. */
  bars(resource: Told): boolean {
    return (
      this.#told(resource).some(({ isBarred, stays }) => isBarred && !stays) ||
      this.#rowsOf(mapping.keeps, resource).some(({ paths, ...row }) =>
        paths.every((path) => !this.#has(resource.value, path, row)),
      )
    );
  }

  /** The words for what a resource says is not so: `Not done: `. */
  negationOf(resource: Told): string | undefined {
    return this.#rowsOf(mapping.negated, resource).find(({ paths, ...row }) =>
      paths.some((path) => this.#has(resource.value, path, row)),
    )?.label;
  }

  /** The rows that tell why a resource gives no statement. */
  #told(resource: Told): Row[] {
    const rows = [mapping.asked, mapping.barred].flatMap((property) => this.#rowsOf(property, resource));
    return rows.filter(
      ({ paths, isBarred, ...row }) =>
        isBarred === paths.some((path) => this.#has(resource.value, path, row)),
    );
  }

  /** The rows with a property that are for a resource. */
  #rowsOf(property: string, { type, value }: Told): Row[] {
    const kinds = ['status', 'category', 'code'].flatMap((name) => codesAt(value, [name]));
    return this.#rows(property).filter(({ paths: [path = ''], among }) => {
      const [of] = path.split('.');
      return (of === type || of === '*') && (among === undefined || kinds.includes(among));
    });
  }

  #has(
    value: FhirResource['value'],
    path: string,
    { values, means }: Pick<Row, 'values' | 'means'>,
  ): boolean {
    const names = path.split('.').slice(1);
    if (means.length > 0)
      return nodesAt(value, names).some((node) =>
        this.meanings.of(path, node).some(({ iri }) => means.includes(iri)),
      );
    return codesAt(value, names).some((code) => values.size === 0 || values.has(code));
  }

  #rows(property: string): readonly Row[] {
    const known = this.#known.get(property);
    if (known) return known;
    const rows = rowsWith(this.tables, property).map((row): Row => {
      const paths = row.all(property);
      const values = new Set([
        ...row.all(mapping.value),
        ...row.all(mapping.in).flatMap((of) => this.#in(of)),
      ]);
      const missing = `${paths.join(' or ')} is missing`;
      return {
        paths,
        isBarred: property === mapping.barred,
        stays: row.one(mapping.stays) !== undefined,
        values,
        means: row.all(mapping.means),
        among: row.one(mapping.among),
        isLast: row.one(mapping.last) !== undefined,
        label:
          row.one(mapping.label) ??
          (values.size === 0 ? missing : `${missing} or has a value that is not loaded`),
      };
    });
    this.#known.set(property, rows);
    return rows;
  }

  /** The values of a property of tables, the names of the systems of a set, or the codes of a system. */
  #in(name: string): string[] {
    const values = (property: string, key: string, ...of: string[]): string[] =>
      rowsWith(this.tables, property)
        .filter((row) => row.all(key).includes(name))
        .flatMap((row) => of.flatMap((each) => row.all(each)));
    return [
      ...rowsWith(this.tables, name).flatMap((row) => row.all(name)),
      ...values(mapping.set, mapping.set, mapping.system, mapping.also),
      ...values(mapping.code, mapping.system, mapping.code),
    ];
  }
}

/** All that stands at the end of a path. */
const nodesAt = (value: unknown, names: readonly string[]): unknown[] =>
  names.reduce<unknown[]>(
    (nodes, name) => nodes.filter(isObject).flatMap((node) => [node[name] ?? []].flat()),
    [value],
  );
