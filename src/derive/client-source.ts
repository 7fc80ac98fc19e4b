import type { Analysis } from '../analysts/analyses/analysis.js';
import type { Ontology } from '../ontology/model.js';
import { clientAnalyses } from './client-analyses.js';
import { ClientCalls } from './client-calls.js';
import { ClientClasses } from './client-classes.js';
import { methodTypes } from './client-method-kinds.js';
import { Names } from './client-names.js';
import { comment, fitted } from './client-text.js';

/** Types of the client that generated modules stand on, beside those of the methods. */
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
/** What else a class cannot be called. */
const ownNames = ['Analyses', 'analyses', 'Client', 'connect', 'createAnalyst', 'createClient', 'model'];

/**
 * The TypeScript module of an ontology's client: an interface for each class, one for the parameters of each call, the
 * methods, and the tables that requests and objects are made by; the same of analyses. The same ontology gives the same
 * text, formatted.
 * @param from the module that `connect` and its types are imported from
 * @throws Error for a call of a form that no method is known for
 */
export function clientSource(
  ontology: Ontology,
  { from = 'chartgraph/client', analyses = [] }: { from?: string; analyses?: readonly Analysis[] } = {},
): string {
  const runtime = [...valueNames, ...methodTypes].sort();
  const names = new Names([...runtime, ...ownNames]);
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
