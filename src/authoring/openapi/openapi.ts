import type { Analysis } from '../../model/analyses/analysis.js';
import type { CallDoc, Documentation } from '../docs-model/documentation.js';
import { noExamples, type Examples } from '../examples/example.js';
import { analysisPaths, analysisProblems, analysisTag } from './analysis-paths.js';
import type { JsonObject } from '../../rdf/json-object.js';
import { operationOf, valueComponents } from './operation.js';
import { problemComponents, problemSchema } from './problems.js';
import { protocolPaths, protocolProblems } from './protocol-paths.js';
import { securitySchemes } from './security.js';

export interface OpenApiSource {
  readonly documentation: Documentation;
  readonly examples?: Examples;
  /** Without a trailing slash. */
  readonly base: string;
  readonly name: string;
  readonly description: string;
  /** Whether calls outside records need a signature. */
  readonly containerAccess: 'open' | 'signed';
  readonly analyses?: ReadonlyMap<string, Analysis>;
}

/** Makes the OpenAPI 3.1 description of a container: its calls, the token endpoints and the probes. */
export function openApi(source: OpenApiSource): JsonObject {
  const { documentation, base, name, description, analyses = new Map<string, Analysis>() } = source;
  const { ontology, calls } = documentation;
  return {
    openapi: '3.1.0',
    info: { title: name, summary: description, version: ontology.version, description: INTRODUCTION },
    externalDocs: { description: 'The documentation of this container', url: `${base}/docs` },
    servers: [{ url: base }],
    tags: [...tagsOf(documentation), ...(analyses.size > 0 ? [analysisTag] : [])],
    paths: { ...pathsOf(calls, source), ...protocolPaths(), ...analysisPaths(analyses) },
    components: {
      securitySchemes: securitySchemes(base, analyses.size > 0),
      schemas: { Problem: problemSchema(), ...valueComponents() },
      responses: problemComponents([
        ...calls.map(({ exchange }) => exchange.problems),
        ...protocolProblems,
        ...(analyses.size > 0 ? [analysisProblems] : []),
      ]),
    },
  };
}

const INTRODUCTION =
  'Derived from the ontology of the container, which describes its calls. Answers are RDF graphs unless an operation ' +
  'says otherwise. A path answers the same with and without a slash at its end, HEAD is answered wherever GET is, and ' +
  'query parameters that an operation does not list are refused.';

/** Makes a tag for each class that calls are about, in the order of the calls. */
function tagsOf({ calls, ontology }: Documentation): JsonObject[] {
  const targets = [...new Set(calls.map(({ call }) => call.target))];
  const models = targets.flatMap((iri) => ontology.classes.get(iri) ?? []);
  return [
    ...models.map(({ label, comment }) => ({ name: label, description: comment })),
    { name: 'Access', description: 'How apps get their tokens.' },
    { name: 'Health', description: 'Whether the container is there, for those who run it.' },
  ];
}

function pathsOf(calls: readonly CallDoc[], source: OpenApiSource): JsonObject {
  const { examples = noExamples } = source;
  const paths = new Map<string, JsonObject>();
  for (const doc of calls) {
    const { path, method, name } = doc.call;
    const operation = operationOf(doc, { ...source, example: examples.calls.get(name) });
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: operation });
  }
  return Object.fromEntries([...paths].sort(([a], [b]) => (a < b ? -1 : 1)));
}
