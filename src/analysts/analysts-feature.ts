import { memoryShare, mostQuadsIn } from '../store/capacity.js';
import { oneGauge } from '../http/container-metrics.js';
import { descriptionRoutes } from '../http/descriptions.js';
import type { Feature } from '../http/feature.js';
import { enrolmentFirst } from '../http/sign-in/page-request.js';
import { flowRoutes } from '../http/sign-in/page-routes.js';
import { analysesRoutes } from './routes/analyses-routes.js';
import { analystClient } from './routes/analyst-client.js';
import { savedQueryRoutes } from './routes/saved-query-routes.js';
import { isOfAnalysts, sparqlRoutes } from './routes/sparql-routes.js';
import { workbenchRoutes } from './routes/workbench-routes.js';
import { describeWorkbench, readBrowserProgram } from './routes/workbench-program.js';
import { publishAnalysts } from './local-analysts.js';
import { analystSocket, startAnalysts } from './start-analysts.js';
import { queryTokenPages } from './workbench/query-tokens.js';

const MB = 1024 * 1024;

/** SPARQL over all records for analysts, in a separate process; analyses; the workbench. */
export const analysts: Feature = {
  isOpen: isOfAnalysts,

  routes(app) {
    const { site, program, data, flow, settings } = app;
    const { analystSocket: socket } = settings;
    if (socket === undefined) return [];
    const { base } = site;
    const browserProgram = readBrowserProgram();
    const parts = {
      ...app,
      ...program,
      ...data,
      base,
      client: analystClient(socket, base),
      script: browserProgram.path,
    };
    return [
      ...sparqlRoutes(parts),
      ...analysesRoutes(parts),
      ...workbenchRoutes(parts),
      ...savedQueryRoutes(parts),
      ...descriptionRoutes(describeWorkbench(program.ontology, browserProgram), ''),
      ...flowRoutes(
        flow,
        {
          '/account/query-tokens': (own) => queryTokenPages(site, base, own).overview,
          '/account/query-tokens/end': (own) => queryTokenPages(site, base, own).end,
        },
        enrolmentFirst(site),
      ),
    ];
  },

  async prepare({ analysts: wanted, data }) {
    if (!wanted) return { settings: {}, close: () => Promise.resolve() };
    const socket = await analystSocket(data);
    return { settings: { analystSocket: socket.path }, close: () => socket.remove() };
  },

  async beside({ settings, primary, log, count }) {
    const { analysts: wanted, analystSocket: socket, data, store, ontology } = settings;
    if (!wanted || socket === undefined) return () => undefined;
    const { memoryBytes = memoryShare(), limits, engine } = wanted;
    const { base } = primary;
    if (!engine) {
      const quads = mostQuadsIn(memoryBytes);
      log.info(
        { quads, megabytes: Math.floor(memoryBytes / MB) },
        'the most that a level of analysts can hold',
      );
      const help = 'The most quads that a level of the data of analysts can have.';
      count(() => oneGauge('analyst_quads_limit', help, quads));
    }
    await publishAnalysts(data, { socket, base });
    return startAnalysts(
      { data, store, ontology, base, socket, memoryBytes, limits, engine, version: settings.version },
      log,
    );
  },
};
