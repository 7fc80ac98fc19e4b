import type { SparqlQuery } from '../../query/syntax.js';

type Placed = Pick<SparqlQuery, 'loc'>;

/** What is done with the rows of all patterns together. */
export interface WholeStep {
  readonly operation: string;
  /** What it comes from; undefined for what the text does not say as one. */
  readonly node?: Placed;
  /** What is shown of it, where that is not the text of the node. */
  readonly says?: string;
}

/** What follows the patterns of a query, in the order of the algebra (SPARQL 1.1 §18.2.4, §18.2.5), the answer last. */
export function wholeSteps(query: SparqlQuery): WholeStep[] {
  const { group, having, order, limitOffset } = query.solutionModifiers ?? {};
  const some = (operation: string, node: Placed | undefined): WholeStep[] =>
    node ? [{ operation, node }] : [];
  const form = query.subType.toUpperCase();
  const variables = query.subType === 'select' ? query.variables : [];
  const isDistinct = query.subType === 'select' && query.distinct === true;
  const isReduced = query.subType === 'select' && query.reduced === true;
  return [
    ...some('Group', group),
    ...some('Filter', having),
    ...some('Join', query.values),
    ...variables.flatMap((each) => some('Extend', each.type === 'pattern' ? each : undefined)),
    ...some('OrderBy', order),
    ...(query.subType === 'select' ? [{ operation: 'Project', says: names(query) }] : []),
    ...(isDistinct ? [{ operation: 'Distinct', says: 'DISTINCT' }] : []),
    ...(isReduced ? [{ operation: 'Reduced', says: 'REDUCED' }] : []),
    ...some('Slice', limitOffset),
    { operation: 'Answer', says: form },
  ];
}

function names({ variables }: Extract<SparqlQuery, { subType: 'select' }>): string {
  return variables
    .map((each) =>
      each.type === 'wildcard' ? '*' : `?${each.type === 'pattern' ? each.variable.value : each.value}`,
    )
    .join(' ');
}
