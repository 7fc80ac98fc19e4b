import Koa, { type Context } from 'koa';
import { createAdmission } from './admission/limits.js';
import type { AppParts } from './app-parts.js';
import { analystFinder } from './analyst.js';
import { identityProvider } from '../access/sign-on/identity-provider.js';
import { CALLBACK } from './sign-in/organisation.js';
import { signInRoutes } from './sign-in/sign-in-routes.js';
import { appOrigins, crossOrigin } from './cors.js';
import { callsOfApps, recordRequirement } from './authorize.js';
import { closedViews } from './closed-view.js';
import { authentication } from './authenticate.js';
import { clientAddresses, type Handler, type Route } from './request-context.js';
import { descriptionRoutes, representationsOf, type Description } from './descriptions.js';
import { everyRequest, serving } from './pipeline.js';
import { callRoutes } from './handlers/call-handlers.js';
import { revisionStates } from './handlers/reads.js';
import { readCookie } from './sign-in/session-cookie.js';
import { visitors } from './sign-in/visitor.js';
import { problemDocuments } from './problem-documents.js';
import { administration } from './administration.js';
import { RecordedReads } from './recorded-reads.js';
import { recordAccess, requestLog } from './request-log.js';
import { responder, setFields } from './respond/respond.js';
import { routing } from './route.js';
import { targetOf } from './target.js';
import { debugRoutes, tokenRoutes } from './tokens/token-endpoints.js';
import { Problem } from '../model/problem.js';
import type { GraphStore } from '../store/graph-store.js';
import { textAnswer } from './answer.js';

const ONTOLOGY_PAGE = '/docs/classes';

/**
 * Makes the HTTP application of a container. The paths of calls come from the ontology; none are written here.
 * @returns a Koa application; its `callback()` serves `node:http`
 */
export function createApp(parts: AppParts): Koa {
  const { site, program, data, flow, log, settings, features } = parts;
  const { base, basePath, secure } = site;
  const { ontology, digest } = program;
  const admission = createAdmission(settings.senderBudget);
  const { bodies } = admission;
  const { current } = data.primary.directory;
  const visitorOf = visitors(site, flow, data.store);
  const analystOf = analystFinder({ base, accounts: flow.accounts, visitorOf });
  const callsOfApp = callsOfApps(ontology, data.primary);
  const requireRecord = recordRequirement(data.primary);
  const access = {
    ...{ base, settings, ontology, callsOfApp },
    mayOpen: flow.accounts.mayOpen,
    isBackground: (id: string) => flow.accounts.app(id)?.mode === 'background',
  };
  const typesOf = features.map((feature) => feature.typesOf?.(parts)).find(Boolean);
  const serve = serving({
    ...{ admission, access, requireRecord },
    authenticate: authentication({
      ...{ ...parts, base, accounts: flow.accounts },
      ...{ current, secure, bodies, visitorOf, analystOf, typesOf },
    }),
    respond: responder({
      ...{ ...parts, base, digest, documents: data.documents },
      holdAnswer: bodies.holdAnswer,
    }),
  });
  const views = closedViews({ ...data, accounts: flow.accounts, ontology });
  const changes = {
    ...parts,
    ...data,
    accounts: flow.accounts,
    ontology,
    base,
    callsOfApp,
    closedViews: views,
  };
  const people = new RecordedReads({
    ...{ ...parts, ...data, ...program, base },
    ...{ accounts: flow.accounts, closedViews: views },
  });
  const paged = { ...parts, people, administration: administration(parts) };
  const organisation = settings.signOn && {
    settings: settings.signOn,
    provider: identityProvider(settings.signOn, base + CALLBACK, log),
    administration: paged.administration,
  };
  const descriptions = features.flatMap((feature) => feature.descriptions?.(parts) ?? []);
  const routes = [
    ...callRoutes(
      ontology,
      {
        ...program,
        ...changes,
        revisionState: revisionStates({ ...data, ontology }),
        ontologyPage: ontologyPage(descriptions, base),
      },
      features,
    ),
    ...tokenRoutes(flow),
    ...(settings.oauthDebug ? debugRoutes(flow, site, bodies) : []),
    ...signInRoutes(site, flow, people, ontology, organisation),
    ...descriptionRoutes(descriptions, JSON.stringify([site.name, site.description])),
    ...features.flatMap((feature) => feature.pages?.(paged) ?? []),
    ...features.flatMap(
      (feature) => feature.routes?.({ ...parts, access, requireRecord, people, closedViews: views }) ?? [],
    ),
    ...healthRoutes(data.store, current),
  ];
  const replacing = features.flatMap((feature) => feature.instead?.(paged) ?? []);
  const app = new Koa();
  app.context.set = setFields;
  // Koa's own handler would print messages. Only connections that broke during an answer end up here.
  app.on('error', (error: Error) => {
    log.debug({ error: error.name }, 'connection broke');
  });
  const isOpen = (context: Context): boolean => {
    const { path } = targetOf(context, basePath);
    return path !== undefined && features.some((feature) => feature.isOpen?.(path));
  };
  const pages = routes.filter(({ method, credentials }) => method === 'GET' && credentials === 'session');
  app.use(
    everyRequest({
      secure,
      findClient: clientAddresses(settings.trustProxy),
      log: requestLog(log, parts.metrics),
      crossOrigin: crossOrigin(settings.corsOrigins, appOrigins(data.primary), isOpen),
      respondProblem: problemDocuments(
        log,
        { container: site.name, basePath, csrf: '' },
        pages.map(({ path }) => path),
        async (context) =>
          readCookie(context, site, 'session') === undefined ? undefined : (await visitorOf(context)).page,
        (context, problem) => {
          const { path = '' } = targetOf(context, basePath);
          return features.map((feature) => feature.problem?.(path, problem)).find(Boolean);
        },
      ),
      recordAccess: recordAccess(parts.accessLog),
      route: routing(site, routes, serve, (route, target) =>
        replacing.reduce((found, replace) => replace(found, target), route),
      ),
    }),
  );
  return app;
}

function ontologyPage(descriptions: readonly Description[], base: string) {
  const found = descriptions.find(({ path }) => path === ONTOLOGY_PAGE);
  const [page] = found ? representationsOf(found) : [];
  return page && { ...page, headers: { ...page.headers, 'Content-Location': base + ONTOLOGY_PAGE } };
}

type HealthyStore = Pick<GraphStore, 'ask'> & { readonly state?: 'whole' | 'filling' | 'partial' };

/** `/health/ready` needs a store that answers, and says how much of the data is in memory. */
export function healthRoutes(store: HealthyStore, current?: () => Promise<void>): readonly Route[] {
  const route = (path: string, handler: Handler): Route => ({
    method: 'GET',
    path,
    credentials: 'none',
    access: 'anybody',
    handler,
  });
  return [
    route('/health/live', () => textAnswer('ok\n')),
    route('/health/ready', async () => {
      await current?.();
      await probe(store);
      return textAnswer(`ok\nmemory: ${store.state ?? 'whole'}\n`);
    }),
  ];
}

/** @throws Problem unavailable, with Retry-After */
async function probe(store: HealthyStore): Promise<void> {
  try {
    await store.ask('ASK {}', []);
  } catch (cause) {
    throw new Problem('unavailable', 'The store does not answer yet; try again.', { retryAfter: 1, cause });
  }
}
