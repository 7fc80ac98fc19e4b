import { basename } from 'node:path';
import type { User } from '../access/accounts/users.js';
import type { Locate } from '../model/check/positions.js';
import type { CallModel } from '../model/ontology/model.js';
import { Problem } from '../model/problem.js';
import { printPlan } from '../model/query/read-plan.js';
import { shortNameIn } from '../model/ontology/term-names.js';
import { explanationPage, type ExplainedTerm } from './explanation-page.js';
import { pageQueries, type PageQueries } from '../records/lists/page-queries.js';
import type { Answer } from '../http/answer.js';
import type { Site } from '../http/app-parts.js';
import type { Instead } from '../http/route.js';
import { readParameters, type Parameters, type RequestTarget } from '../http/target.js';
import { pageAnswer } from '../http/sign-in/page-answer.js';
import { pageRoutes, type PageRequest, enrolmentFirst, signInFirst } from '../http/sign-in/page-request.js';
import { refusalAnswer } from '../http/sign-in/refusals.js';
import type { Route } from '../http/request-context.js';
import type { Program } from '../http/app-parts.js';
import type { RecordedReads } from '../http/recorded-reads.js';
import { isPublic } from '../http/handlers/graph-answer.js';
import { listRequestOf } from '../http/handlers/reads.js';

export interface ExplainParts extends Pick<Program, 'ontology' | 'queries'> {
  readonly site: Site;
  readonly base: string;
  readonly people: RecordedReads;
  readonly locate: Locate;
}

const EXPLAIN = 'explain';

/**
 * Handles `?explain` on a GET call of a graph: a page with its SPARQL and sources in the ontology, for administrators,
 * users who may open the record, and (for searches) analysts. Calls with a parameter of that name are excluded.
 */
export function explaining(parts: ExplainParts): Instead {
  const made = new Map<Route, Route>();
  return (route, target) => {
    const { call, method } = route;
    if (!call || method !== 'GET' || call.answer !== 'rdf' || !asksToExplain(target)) return route;
    if ([...call.parameters, ...call.filters].some(({ name }) => name === EXPLAIN)) return route;
    const known = made.get(route) ?? explainingRoute(parts, call, route);
    made.set(route, known);
    return known;
  };
}

const isExplain = (pair: string): boolean => pair === EXPLAIN || pair.startsWith(`${EXPLAIN}=`);
const asksToExplain = ({ query }: RequestTarget): boolean => query.split('&').some(isExplain);

function explainingRoute(parts: ExplainParts, call: CallModel, of: Route): Route {
  const GET = (request: PageRequest): Promise<Answer> | Answer => explained(parts, call, of, request);
  const [route] = pageRoutes(of.path, { GET }, enrolmentFirst(parts.site));
  if (!route) throw new Error('a page has no GET');
  return route;
}

/** Permission is checked before path and query are parsed. */
async function explained(parts: ExplainParts, call: CallModel, of: Route, request: PageRequest) {
  const { visitor, target } = request;
  const { user, page } = visitor;
  if (!user) return signInFirst(parts.site, target.raw);
  const maySee = mayRun(parts, call, user, request.path['record_id']);
  const mayRead = mayReadQuery(call, user);
  // A run or refused explanation is an access like the call; readers of only the query see no answer.
  const count = mayRead && !maySee ? undefined : parts.people.counting(request, call, user);
  if (!mayRead && !maySee) return refusalAnswer(visitor, 'noExplanation');
  const query = target.query
    .split('&')
    .filter((pair) => !isExplain(pair))
    .join('&');
  const parameters = readParameters(parts.base, of, request.path, { ...target, query });
  if (parameters.query.at !== undefined || parameters.query.timemap === true)
    throw new Problem('invalid-parameter', 'Only the present is explained; leave at and timemap out.');
  const explanation = explanationOf(parts, call, parameters);
  const ran = await count?.(parameters, parameters.query.declared);
  return pageAnswer(page, explanationPage({ ...explanation, ran }));
}

/** Whether a user may read the query of a call, which discloses no data: administrators, and analysts for searches. */
function mayReadQuery({ scope, path }: CallModel, { role }: User): boolean {
  return role === 'admin' || (role === 'analyst' && scope === 'container' && !path.includes('{'));
}

/** Whether a user may see a call's answer: nothing personal, or a record they may open. */
function mayRun({ people }: ExplainParts, call: CallModel, user: User, record: string | undefined): boolean {
  if (isPublic(call)) return true;
  return call.scope === 'record' && record !== undefined && people.mayOpen(user, record);
}

function explanationOf(parts: ExplainParts, call: CallModel, parameters: Parameters) {
  const { path, resource, query } = parameters;
  const request = listRequestOf(parts, { call, path, resource }, query.declared);
  const { query: template, values } = request;
  const page = call.cardinality === 'multiple' ? pageQueries(parts.ontology, parts.base, request) : undefined;
  const queries: [string, string][] =
    page !== undefined
      ? [...queriesOf(page), ['Their graph', template.bind(values, { filters: page.filters })]]
      : [['The graph', template.bind(values)]];
  return {
    name: call.name,
    path: resource.slice(parts.base.length),
    queries,
    plan: printPlan(template.plan),
    file: basename(template.file),
    terms: termsOf(parts, call, parameters),
  };
}

function queriesOf({ indexed, limit, members }: PageQueries): [string, string][] {
  const which: [string, string] = ['Which things', members()];
  if (!indexed || limit === undefined) return [which];
  return [['When all of them are, so that only those of the page are asked for', indexed.instants()], which];
}

/** Explains the call, its target, order, and the given filters and parameters. */
function termsOf({ ontology, locate }: ExplainParts, call: CallModel, { query }: Parameters) {
  const term = (as: string, iri: string, label: string, says: string): ExplainedTerm => {
    const position = locate(iri);
    const place = position && `${basename(position.file)}:${position.line}`;
    return { as, name: shortNameIn(ontology, iri), label, says, place };
  };
  const labelOf = (iri: string): string =>
    ontology.classes.get(iri)?.label ?? ontology.properties.get(iri)?.label ?? '';
  const given = [...call.filters, ...call.parameters].filter(({ name }) => query.declared.has(name));
  return [
    term('Call', call.iri, call.label, `${call.method} ${call.path}`),
    term('Target', call.target, labelOf(call.target), ''),
    ...call.sortProperties.map((iri) => term('Order', iri, labelOf(iri), '')),
    ...given.map((each) =>
      term(
        each.pattern === undefined ? 'Parameter' : 'Filter',
        each.iri,
        each.comment,
        each.pattern?.trim() ?? '',
      ),
    ),
  ];
}
