import { termKey } from '../../rdf/term-key.js';
import type { Term } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import { isRecordId, RECORD_ID_RULE } from '../identifiers.js';
import { recordIri, recordPath } from '../resource-paths.js';
import { refuse } from './load-problems.js';
import type { InputGraph } from './input-graphs.js';

export type RecordNode = ReturnType<typeof findRecord>;

export interface RecordHints {
  readonly recordId?: string | undefined;
  readonly fallbackId?: string | undefined;
}

/**
 * Finds the record: the node typed `sp:MedicalRecord`, else what statements belong to. A blank node takes the
 * requested id or the fallback; an IRI under the base URL has its own.
 * @throws RecordInputError for several records, a foreign IRI, contradicting ids, or no id
 */
export function findRecord(inputGraphs: readonly InputGraph[], base: string, hints: RecordHints) {
  const nodes = recordNodes(inputGraphs);
  const named = new Map<string, string>();
  const problems: string[] = [];
  for (const node of nodes.values()) {
    if (node.termType === 'BlankNode') continue;
    const path = recordPath(node.value, base);
    if (node.termType === 'NamedNode' && path?.rest === '') named.set(path.recordId, node.value);
    else
      problems.push(
        `The record is called ${node.value}; write it as a blank node, or name it ${recordIri(base, '{record id}')}.`,
      );
  }
  const blanks = [...nodes.values()].filter(({ termType }) => termType === 'BlankNode').length;
  if (named.size + blanks > 1) {
    problems.push(
      `The file speaks of ${named.size + blanks} records; without named graphs a file holds one.`,
    );
  }
  const [own] = named.keys();
  if (own !== undefined && hints.recordId !== undefined && own !== hints.recordId) {
    problems.push(`The file is about record ${own}, but record ${hints.recordId} was asked for.`);
  }
  refuse(problems);
  const id = hints.recordId ?? own ?? hints.fallbackId;
  if (id === undefined) {
    refuse([
      'No record id is known: name the file by it (digits, as in p1000001.xml) or give it with --record.',
    ]);
  } else if (!isRecordId(id)) {
    refuse([`"${id}" is no record id. ${RECORD_ID_RULE}`]);
  }
  const iri = recordIri(base, id ?? '');
  return {
    id: id ?? '',
    iri,
    stated: nodes.size > 0,
    is: (term: Term): boolean =>
      nodes.has(termKey(term)) || (term.termType === 'NamedNode' && [iri, `${iri}/`].includes(term.value)),
  };
}

function recordNodes(inputGraphs: readonly InputGraph[]): Map<string, Term> {
  const nodes = new Map<string, Term>();
  for (const { index } of inputGraphs) {
    for (const { subject, predicate, object } of index.quads) {
      const typed = predicate.value === rdf.type && object.value === sp.MedicalRecord;
      if (typed || predicate.value === sp.hasStatement) nodes.set(termKey(subject), subject);
      else if (predicate.value === sp.belongsTo) nodes.set(termKey(object), object);
    }
  }
  return nodes;
}
