import { checkOntology } from '../../ontology/check/check.js';
import { usageProblems } from '../../ontology/check/usage.js';
import type { LoadedOntology } from '../../ontology/directory.js';
import { Graph } from '../../ontology/graph.js';
import type { OntologyProblem } from '../../ontology/check/ontology-problem.js';
import { positionsIn, type Locate } from '../../ontology/check/positions.js';
import type { Rule } from '../../ontology/check/rule.js';
import { madeOnce } from '../../rdf/made-once.js';
import { api } from '../../rdf/vocabulary.js';
import { checkPatterns } from './check-patterns.js';
import { readQueries } from '../load-queries.js';
import type { QueryFileError } from '../query-file-error.js';

/** Something wrong with an ontology or its queries, and where it stands; files are named as they were given. */
export interface ModelProblem {
  /** Undefined where nothing of the ontology's files is about it. */
  readonly file: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
  readonly rule: string;
  readonly severity: Rule['severity'];
  readonly message: string;
}

/** All that is wrong with an ontology for itself: what the container would refuse, and what people would miss. */
export const lintOntology = madeOnce(
  ({ ontology, quads, files }: LoadedOntology): readonly ModelProblem[] => {
    const problems = [...checkOntology(ontology, quads), ...checkPatterns(ontology)];
    return problems.length === 0 ? [] : located(problems, positionsIn(files));
  },
);

/**
 * All that is wrong with a folder of queries, and the terms of the ontology that neither it nor the queries use. Those
 * are only looked for when all else is well: a misspelt name leaves the right one unused.
 */
export async function lintQueries(directory: string, loaded: LoadedOntology): Promise<ModelProblem[]> {
  const { ontology, quads, files } = loaded;
  const { problems, terms } = await readQueries(directory, ontology);
  const graph = new Graph(quads);
  const stated = new Set(
    graph
      .instances(api.Call)
      .flatMap((call) => graph.objects(call, api.clientMethodName))
      .map(({ value }) => value),
  );
  // The query of a call that cannot be read is no stray: the call is what is wrong.
  const isOfBrokenCall = ({ rule, file }: QueryFileError): boolean =>
    rule === 'query-stray' && [...stated].some((name) => file.endsWith(`${name}.rq`));
  const found = problems.filter((problem) => !isOfBrokenCall(problem));
  const unused =
    found.length > 0 || hasErrors(lintOntology(loaded)) ? [] : usageProblems(ontology, quads, terms);
  if (found.length + unused.length === 0) return [];
  const locate = positionsIn(files);
  return [...found.map((problem) => queryProblem(problem, locate)), ...located(unused, locate)];
}

function hasErrors(problems: readonly ModelProblem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

function located(problems: readonly OntologyProblem[], locate: Locate): ModelProblem[] {
  return problems.map(({ subject, near, rule, severity, message }) => {
    const place = locate(subject, near);
    return { file: place?.file, line: place?.line, rule, severity, message };
  });
}

/** What is missing is told where the call is described, as there is no file to open. */
function queryProblem(error: QueryFileError, locate: Locate): ModelProblem {
  const { rule, severity, file, line, reason, call } = error;
  const place = call === undefined ? undefined : locate(call);
  return place
    ? { ...place, rule, severity, message: `${reason}: ${file}` }
    : { file, line, rule, severity, message: reason };
}
