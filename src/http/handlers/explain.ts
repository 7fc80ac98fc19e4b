import { basename } from 'node:path';
import { mayOpen, type User } from '../../accounts/users.js';
import type { Locate } from '../../ontology/check/positions.js';
import type { CallModel } from '../../ontology/model.js';
import { Problem } from '../../problem.js';
import { shortName } from '../../ontology/term-names.js';
import { explanationPage, type Explanation, type ExplainedTerm } from '../../pages/explanation-page.js';
import { chosenPage, type ChosenPage } from '../../records/lists/chosen-page.js';
import { readList } from '../../records/lists/list.js';
import type { Answer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { readParameters, type Parameters } from '../parameters.js';
import { pageAnswer } from '../pages/page-answer.js';
import { pageRoutes, type PageRequest } from '../pages/page-request.js';
import { noteAccess } from '../pages/record/open-record.js';
import { refusalAnswer } from '../pages/refusals.js';
import { enrolmentFirst, signInFirst } from '../pages/sign-in-first.js';
import type { Route } from '../request-context.js';
import type { QueryQueue } from '../respond/query-queue.js';
import type { RequestTarget } from '../target.js';
import { isPublic } from './graph-answer.js';
import { construct, listRequestOf, type Reads } from './reads.js';

/** What explanations are made with. */
export interface ExplainParts extends Reads {
  readonly site: Site;
  readonly queue: QueryQueue;
  /** Where the ontology says something. */
  readonly locate: Locate;
}

const EXPLAIN = 'explain';

/** What takes the place of a route for a request, or the route itself. */
export type Instead = (route: Route, target: RequestTarget) => Route;

/**
 * `?explain` on a GET call of a graph: its bound SPARQL and the parts of the ontology that it comes from, as a page, for
 * who is signed in as an administrator, or may open the record that it is about, and of searches for analysts. Without that parameter, and for calls
 * that have a parameter of that name, the route stays as it is.
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

/** Who may know how a call is answered decides before anything is read: the path and query, too, are checked only then. */
async function explained(
  parts: ExplainParts,
  call: CallModel,
  of: Route,
  request: PageRequest,
): Promise<Answer> {
  const { visitor, target } = request;
  const { user, page } = visitor;
  if (!user) return signInFirst(parts.site, target.raw);
  const maySee = mayRun(call, user, request.path['record_id']);
  const mayRead = mayReadQuery(call, user);
  // What is run for somebody is an access like the call itself, and so is what is refused. Who reads queries alone sees
  // no answer.
  if (!isPublic(call) && !mayRead) noteAccess(request, call);
  if (!mayRead && !maySee) return refusalAnswer(visitor, 'noExplanation');
  const query = target.query
    .split('&')
    .filter((pair) => !isExplain(pair))
    .join('&');
  const parameters = readParameters(parts.base, of, request.path, { ...target, query });
  if (parameters.query.at !== undefined || parameters.query.timemap === true)
    throw new Problem('invalid-parameter', 'Only the present is explained; leave at and timemap out.');
  const explanation = explanationOf(parts, call, parameters);
  if (!maySee) return pageAnswer(page, explanationPage({ ...explanation, ran: undefined }));
  return pageAnswer(page, explanationPage({ ...explanation, ran: await ran(parts, call, parameters) }));
}

/**
 * Whether somebody may read how a call is answered, whatever it answers with: administrators, and analysts where it
 * searches all records or users. What they read says nothing of what is stored.
 */
function mayReadQuery({ scope, path }: CallModel, { role }: User): boolean {
  return role === 'admin' || (role === 'analyst' && scope === 'container' && !path.includes('{'));
}

/** Whether somebody may know what a call answers with: what is about no person, and records that they open. */
function mayRun(call: CallModel, user: User, record: string | undefined): boolean {
  if (isPublic(call)) return true;
  return call.scope === 'record' && record !== undefined && mayOpen(user, record);
}

function explanationOf(
  parts: ExplainParts,
  call: CallModel,
  parameters: Parameters,
): Omit<Explanation, 'ran'> {
  const { path, resource, query } = parameters;
  const request = listRequestOf(parts, { call, path, resource }, query.declared);
  const { query: template, values } = request;
  const page = call.cardinality === 'multiple' ? chosenPage(parts.ontology, parts.base, request) : undefined;
  const queries: [string, string][] =
    page !== undefined
      ? [...queriesOf(page), ['Their graph', template.bind(values, { filters: page.filters })]]
      : [['The graph', template.bind(values)]];
  return {
    name: call.name,
    path: resource.slice(parts.base.length),
    queries,
    // Searches compare what they find once more.
    isStored:
      template.asksForGraph ||
      (call.scope === 'record' && (template.neighbours ?? template.statement) !== undefined),
    file: basename(template.file),
    terms: termsOf(parts, call, parameters),
  };
}

/** The queries that choose a page. */
function queriesOf({ indexed, limit, sparql }: ChosenPage): [string, string][] {
  const which: [string, string] = ['Which things', sparql()];
  if (!indexed || limit === undefined) return [which];
  return [['When all of them are, so that only those of the page are asked for', indexed.instants()], which];
}

/** The call, what it is about, how it is ordered, and the filters and parameters that were given. */
function termsOf(
  { ontology, locate }: ExplainParts,
  call: CallModel,
  { query }: Parameters,
): ExplainedTerm[] {
  const term = (as: string, iri: string, label: string, says: string): ExplainedTerm => {
    const position = locate(iri);
    const place = position && `${basename(position.file)}:${position.line}`;
    return { as, name: shortName(iri), label, says, place };
  };
  const labelOf = (iri: string): string =>
    ontology.classes.get(iri)?.label ?? ontology.properties.get(iri)?.label ?? '';
  const given = [...call.filters, ...call.parameters].filter(({ name }) => query.declared.has(name));
  return [
    term('Call', call.iri, call.label, `${call.method} ${call.path}`),
    term('Target', call.target, labelOf(call.target), ''),
    ...call.sortProperties.map((iri) => term('Order', iri, labelOf(iri), '')),
    ...given.map((each) =>
      term('pattern' in each ? 'Filter' : 'Parameter', each.iri, each.comment, each.pattern?.trim() ?? ''),
    ),
  ];
}

/** Runs what was explained, in its turn among the queries of calls. */
async function ran(
  parts: ExplainParts,
  call: CallModel,
  parameters: Parameters,
): Promise<Explanation['ran']> {
  return parts.queue.run(call.iri, async () => {
    const start = performance.now();
    const { path, resource, query } = parameters;
    const asked = { call, path, resource };
    if (call.cardinality === 'multiple') {
      const request = listRequestOf(parts, asked, query.declared);
      const { quads, total } = await readList(parts.store, parts.ontology, request);
      return { triples: quads.length, total, ms: performance.now() - start };
    }
    const quads = await construct(parts, asked);
    return { triples: quads.length, total: undefined, ms: performance.now() - start };
  });
}
