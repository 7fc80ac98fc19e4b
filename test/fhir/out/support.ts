import { join } from 'node:path';
import { writeJson } from '../../../src/fhir/endpoint/reading/write-json.js';
import { binaryData } from '../../../src/fhir/out/binary-data.js';
import { idOfPath } from '../../../src/fhir/out/export-names.js';
import { EXPORT_FOLDER, loadExports } from '../../../src/fhir/out/export-queries.js';
import { FhirExporter, type ExportTools } from '../../../src/fhir/out/exporting.js';
import { statementNames, statementSources } from '../../../src/fhir/rest/statement-sources.js';
import type { CallModel } from '../../../src/model/ontology/model.js';
import type { JsonObject } from '../../../src/rdf/json-object.js';
import { recordIri } from '../../../src/records/resource-paths.js';
import type { PrimaryStore } from '../../../src/store/primary-store.js';
import { fhirPlace, mapping, ontology } from '../support.js';

export const exportQueries = await loadExports(join('queries', EXPORT_FOLDER), ontology);

/** All that goes out of a record. */
export function resourcesOf(
  primary: PrimaryStore,
  recordId: string,
  tools: Omit<ExportTools, 'base'> = { queries: exportQueries, mapping, ontology },
): JsonObject[] {
  const exporter = new FhirExporter({ ...tools, base: primary.base });
  return [...tools.queries.keys()].flatMap((name) => {
    const call = tools.ontology.callByName.get(name) as CallModel;
    const names = statementNames(primary, tools.ontology, { record_id: recordId, call });
    const record = recordIri(primary.base, recordId);
    const sources = statementSources(primary, tools.mapping, { record, names });
    return exporter.resources(recordId, name, sources).map(({ resource }) => resource);
  });
}

/** All that goes out of a record, with the data of each Binary. */
export async function exported(primary: PrimaryStore, recordId: string): Promise<JsonObject[]> {
  const start = `${primary.base}/records/`;
  const names = new Map(
    primary
      .names(`${start}${recordId}/`)
      .map((name) => [idOfPath(`${name.slice(start.length)}#binary`), name]),
  );
  const withData = async (resource: JsonObject): Promise<JsonObject> =>
    resource['resourceType'] === 'Binary'
      ? { ...resource, data: await binaryData(names.get(String(resource['id'])) ?? '', primary) }
      : resource;
  return Promise.all(resourcesOf(primary, recordId).map(withData));
}

/** Resources as a Bundle, with the digits of their numbers. */
export const bundleOf = (resources: readonly JsonObject[]): string =>
  writeJson({
    resourceType: 'Bundle',
    type: 'collection',
    entry: resources.map((resource) => ({ resource })),
  });

type Statements = Readonly<Record<string, readonly string[]>>;

/** What a record says again after its resources were loaded into an empty container, and what the load said. */
export async function sentAndLoaded(resources: readonly JsonObject[], recordId: string) {
  const { load, statements } = await fhirPlace();
  const { report } = await load(bundleOf(resources));
  return { report, statements: statements(recordId) };
}

/** What differs between the statements of two records, by path: `- ` what is only in the first, `+ ` what is only in the second. */
export function differences(one: Statements, other: Statements): Record<string, string[]> {
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(
    paths.flatMap((path) => {
      const [before, after] = [one[path] ?? [], other[path] ?? []];
      if (!other[path]) return [[path, ['- all']]];
      const lines = [
        ...without(before, after).map((line) => `- ${line}`),
        ...without(after, before).map((line) => `+ ${line}`),
      ];
      return lines.length > 0 ? [[path, lines]] : [];
    }),
  );
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
