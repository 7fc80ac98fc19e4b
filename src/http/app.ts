import Koa, { type Context } from 'koa';
import type { AppParts } from './app-parts.js';
import { analystFinder } from './analysts/analyst.js';
import { analysesRoutes } from './analysts/analyses-routes.js';
import { savedQueryRoutes } from './analysts/saved-query-routes.js';
import { isOfAnalysts, sparqlRoutes } from './analysts/sparql-routes.js';
import { workbenchRoutes } from './analysts/workbench-routes.js';
import { appOrigins } from './app-origins.js';
import { callsOfApps } from './app-requirements.js';
import { authentication } from './authenticate.js';
import { createBodies } from './body.js';
import { clientAddresses } from './client-address.js';
import { crossOrigin } from './cors.js';
import { descriptionRoutes, representationsOf } from './descriptions.js';
import { everyRequest } from './every-request.js';
import { callRoutes } from './handlers/call-handlers.js';
import { explaining } from './handlers/explain.js';
import { revisionStates } from './handlers/revision-state.js';
import { healthRoutes } from './health.js';
import { allPageRoutes } from './pages/pages.js';
import { visitors } from './pages/visitor.js';
import { longBodies } from './long-bodies.js';
import { problemDocuments } from './problem-documents.js';
import { recordRequirement } from './require-record.js';
import { recordAccess } from './record-access.js';
import { requestLog } from './request-log.js';
import { responder, setFields } from './respond/respond.js';
import { createRoad } from './road.js';
import { routing } from './route.js';
import { senderBudgets } from './sender-budgets.js';
import { targetOf } from './target.js';
import { debugRoutes } from './tokens/debug-endpoint.js';
import { tokenRoutes } from './tokens/token-endpoints.js';

/** The page that shows the ontology to people. */
const ONTOLOGY_PAGE = '/docs/classes';

/**
 * The HTTP application of a container: log, problem documents, route, and the steps of the road behind it. It holds no
 * path of a call: they come from the ontology.
 * @returns a Koa application; its `callback()` serves `node:http`
 */
export function createApp(parts: AppParts): Koa {
  const { site, program, data, flow, log, containerAccess } = parts;
  const { base, basePath, secure } = site;
  const { ontology, digest } = program;
  const bodies = createBodies();
  const visitorOf = visitors(site, flow);
  const analystOf = analystFinder({ base, accounts: flow.accounts, visitorOf });
  const callsOfApp = callsOfApps(ontology, data.primary);
  const road = createRoad({
    bodies,
    budgets: senderBudgets({ perSecond: parts.senderBudget }),
    inTurns: longBodies(),
    authenticate: authentication({ ...parts, current: data.current, secure, bodies, visitorOf, analystOf }),
    access: {
      ...{ base, containerAccess, ontology, callsOfApp },
      isBackground: (id) => flow.accounts.app(id)?.mode === 'background',
    },
    requireRecord: recordRequirement(data.primary),
    respond: responder({ ...parts, base, digest, documents: data.documents }),
  });
  const changes = { ...parts, ...data, accounts: flow.accounts, ontology, base, callsOfApp };
  const ofPages = allPageRoutes(site, flow, {
    ...program,
    ...data,
    base,
    queue: parts.queue,
    accessLog: parts.accessLog,
    postQuota: parts.postQuota,
  });
  const routes = [
    ...callRoutes(ontology, {
      ...program,
      ...changes,
      containerAccess,
      postQuota: parts.postQuota,
      textLimit: parts.textLimit,
      user: flow.accounts.user,
      revisionState: revisionStates({ ...data, ontology }),
      ontologyPage: ontologyPage(parts),
    }),
    ...tokenRoutes(flow),
    ...(parts.oauthDebug ? debugRoutes(flow, site, bodies) : []),
    ...ofPages,
    ...descriptionRoutes(parts.descriptions, JSON.stringify([site.name, site.description])),
    ...(parts.analysts ? sparqlRoutes({ ...parts, ...parts.analysts, base }) : []),
    ...(parts.analysts ? analysesRoutes({ ...parts, ...parts.analysts, ...program, base }) : []),
    ...(parts.analysts ? workbenchRoutes({ ...parts, ...parts.analysts, ...program, ...data, base }) : []),
    ...(parts.analysts ? savedQueryRoutes({ flow }) : []),
    ...healthRoutes(data.store, data.current),
  ];
  const app = new Koa();
  app.context.set = setFields;
  // Koa's own handler would print messages; what reaches it is a connection that broke while answering.
  app.on('error', (error: Error) => {
    log.debug({ error: error.name }, 'connection broke');
  });
  const isOpen = (context: Context): boolean => isOfAnalysts(targetOf(context, basePath).path);
  const { locate, queue } = parts;
  const pages = ofPages.filter(({ method }) => method === 'GET').map(({ path }) => path);
  app.use(
    everyRequest({
      secure,
      findClient: clientAddresses(parts.trustProxy),
      log: requestLog(log, parts.metrics),
      crossOrigin: crossOrigin(parts.corsOrigins, appOrigins(data.primary), isOpen),
      respondProblem: problemDocuments(log, { container: site.name, basePath, csrf: '' }, pages),
      recordAccess: recordAccess(parts.accessLog),
      route: routing(site, routes, road, explaining({ ...program, ...data, site, base, queue, locate })),
    }),
  );
  return app;
}

/** The ontology as a page, for people who open its address. */
function ontologyPage({ descriptions, site }: AppParts) {
  const found = descriptions.find(({ path }) => path === ONTOLOGY_PAGE);
  const [page] = found ? representationsOf(found) : [];
  return page && { ...page, headers: { ...page.headers, 'Content-Location': site.base + ONTOLOGY_PAGE } };
}
