import { checkOntology } from '../../check/check.js';
import { usageProblems } from '../../check/usage.js';
import type { Folders, LoadedOntology } from '../../ontology/directory.js';
import type { Ontology } from '../../ontology/model.js';
import { layerNames } from '../../ontology/term-names.js';
import { Graph } from '../../ontology/graph.js';
import type { OntologyProblem, Rule } from '../../check/rule.js';
import { positionsIn, positionsWhenAsked, type Locate } from '../../check/positions.js';
import { madeOnce } from '../../../rdf/made-once.js';
import { api } from '../../../rdf/vocabulary.js';
import { checkPatterns } from './check-patterns.js';
import { readQueries } from '../load-queries.js';
import type { QueryFileError } from '../query-file-error.js';

export interface ModelProblem {
  /** Undefined when no file of the ontology is involved. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly rule: string;
  readonly severity: Rule['severity'];
  readonly message: string;
}

export const lintOntology = madeOnce(
  ({ ontology, quads, files }: LoadedOntology): readonly ModelProblem[] => {
    const problems = [...checkOntology(ontology, quads), ...checkPatterns(ontology)];
    return problems.length === 0 ? [] : located(problems, files, ontology);
  },
);

/**
 * Finds all problems of folders of queries. Reports unused terms of the ontology only if there are none, because a
 * misspelt name leaves the right one unused.
 */
export async function lintQueries(folders: Folders, loaded: LoadedOntology): Promise<ModelProblem[]> {
  const { ontology, quads, files } = loaded;
  const { problems, terms } = await readQueries(folders, ontology);
  const graph = new Graph(quads);
  const stated = new Set(
    graph
      .instances(api.Call)
      .flatMap((call) => graph.objects(call, api.clientMethodName))
      .map(({ value }) => value),
  );
  // The query of an incomplete call is no stray: the call is wrong.
  const isOfBrokenCall = ({ rule, file }: QueryFileError): boolean =>
    rule === 'query-stray' && [...stated].some((name) => file.endsWith(`${name}.rq`));
  const found = problems.filter((problem) => !isOfBrokenCall(problem));
  const isSound = found.length === 0 && lintOntology(loaded).every(({ severity }) => severity !== 'error');
  const unused = isSound ? usageProblems(ontology, quads, terms) : [];
  if (found.length + unused.length === 0) return [];
  const locate = positionsIn(files);
  return [...found.map((problem) => queryProblem(problem, locate)), ...located(unused, files, ontology)];
}

function located(
  problems: readonly OntologyProblem[],
  files: LoadedOntology['files'],
  ontology: Ontology,
): ModelProblem[] {
  const locate = positionsWhenAsked(files);
  return problems.map(({ subject, near, paths, rule, severity, message }) => {
    const own = paths && positionsIn(files.filter(({ path }) => paths.includes(path)));
    const place = (own ?? locate)(subject, near);
    return { file: place?.file, line: place?.line, rule, severity, message: layerNames(ontology, message) };
  });
}

/** A missing query has no file, so the problem points to the call's description. */
function queryProblem(error: QueryFileError, locate: Locate): ModelProblem {
  const { rule, severity, file, line, reason, call } = error;
  const place = call === undefined ? undefined : locate(call);
  return place
    ? { ...place, rule, severity, message: `${reason}: ${file}` }
    : { file, line, rule, severity, message: reason };
}
