import type { Analysis } from '../../model/analyses/analysis.js';
import type { Ontology } from '../../model/ontology/model.js';
import { clientAnalyses } from './client-analyses.js';
import { ClientCalls, methodTypes } from './client-calls.js';
import { ClientClasses } from './client-classes.js';
import { Names, comment, fitted } from './client-text.js';

/** Types that generated modules import from the client, in addition to those of methods. */
const valueNames = [
  'AnalystSettings',
  'ApiModel',
  'ClientSettings',
  'Code',
  'Described',
  'Inner',
  'Link',
  'Thing',
];
/** Other names that a class cannot have. */
const ownNames = ['Analyses', 'analyses', 'Client', 'connect', 'createAnalyst', 'createClient', 'model'];

/**
 * Writes the TypeScript client of an ontology: an interface for each class and for the parameters of each call,
 * methods, and the tables of requests and objects; the same for analyses. The result is formatted, and always the same
 * for an ontology.
 * @param from the module to import `connect` and its types from
 * @throws Error for a call without a known form of method
 */
export function clientSource(
  ontology: Ontology,
  { from = 'chartgraph/client', analyses = [] }: { from?: string; analyses?: readonly Analysis[] } = {},
): string {
  const runtime = [...valueNames, ...methodTypes].sort();
  const names = new Names(ontology, [...runtime, ...ownNames]);
  const classes = new ClientClasses(ontology, names);
  const calls = new ClientCalls(ontology.calls, classes, names);
  const body =
    classes.interfaces() +
    calls.parameters() +
    '\n/** A client: a method for each call of the ontology. */\n' +
    `export interface Client {\n${calls.methods()}}\n` +
    '\n/** The calls and classes of the ontology, as clients work with them. */\n' +
    `export const model: ApiModel<Client> = {\n  calls: {\n${calls.rows()}  },\n` +
    `  classes: {\n${classes.rows()}  },\n};\n` +
    '\n' +
    comment('Makes a client of a container.\n@throws TypeError for settings that cannot be used') +
    'export function createClient(settings: ClientSettings): Client {\n  return connect(model, settings);\n}\n' +
    clientAnalyses(analyses, names);
  const used = runtime.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return (
    `// Made from the ontology, version ${ontology.version}, by \`chartgraph ontology client\`: change that, not this.\n` +
    `import { connect } from '${from}';\n` +
    fitted('import type {', used, `} from '${from}';`, { inner: ' ' }) +
    body
  );
}
