import { api, cg, sp } from '../../rdf/vocabulary.js';
import { answerKeyOf, factsOf } from '../ontology/answer-forms.js';
import { disclosures, isA, type CallModel, type Ontology, type Scope } from '../ontology/model.js';
import { PathTemplate, type PathSegment } from '../ontology/path-template.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type OntologyRule } from './rule.js';

/** Where owned data is: the first segment of its path, and the parameter with its owner's id. */
const owned = [
  { scope: 'record', folder: 'records', parameter: 'record_id' },
  { scope: 'user', folder: 'users', parameter: 'user_id' },
  // Apps have no folder here, because their manifests are public.
  { scope: 'app', folder: undefined, parameter: 'app_id' },
] as const satisfies readonly { scope: Scope; folder: string | undefined; parameter: string }[];

/** Words that cannot be the id of a record or user, so that paths of calls may use them. */
const reservedIds: ReadonlySet<string> = new Set(['search', 'manifests']);

const mayBe = (segment: PathSegment | undefined, text: string): boolean =>
  segment !== undefined && ('parameter' in segment || segment.literal === text);

const mayBeId = (segment: PathSegment | undefined): boolean =>
  segment !== undefined && !('literal' in segment && reservedIds.has(segment.literal));

/** The scope that owns a path: a path belongs to a record when any address that it matches does. */
function ownerOfPath(path: string): Scope {
  const { segments, parameters } = PathTemplate.of(path);
  const [first, second] = segments;
  const found = owned.find(
    ({ folder, parameter }) =>
      parameters.includes(parameter) || (folder !== undefined && mayBe(first, folder) && mayBeId(second)),
  );
  return found?.scope ?? 'container';
}

function ownerOfClass(ontology: Ontology, iri: string): Scope | undefined {
  if (isA(ontology, iri, sp.Statement)) return 'record';
  const basePath = ontology.classes.get(iri)?.basePath;
  return basePath === undefined ? undefined : ownerOfPath(basePath);
}

const whose: Record<Scope, string> = {
  record: 'belongs to a record',
  user: 'belongs to a user',
  app: 'belongs to an app',
  container: 'belongs to the container',
};

/** The classes that describe who people are; a directory may show them. */
const people: readonly string[] = [sp.Demographics, sp.User];

/** Whether a call may declare that it discloses who people are: it finds people, or names one user. */
function mayBeDirectory({ method, scope, target, path }: CallModel): boolean {
  const owner = ownerOfPath(path);
  const isUser = target === sp.User && PathTemplate.of(path).shape === '/users/{}';
  return (
    method === 'GET' && scope === 'container' && people.includes(target) && (owner === 'container' || isUser)
  );
}

/**
 * Says why a call needs another scope; undefined when its scope is right. Closed by default: calls of the container
 * and of users only answer with classes whose paths belong there, and nobody writes without a token.
 */
function exposure(call: CallModel, ontology: Ontology): string | undefined {
  const { scope, method, path, target, answer } = call;
  const service = answerKeyOf(call) && factsOf(call).service;
  if (service !== undefined && service !== scope) return `its answer ${answer} ${whose[service]}`;
  if (scope === 'app' && service === undefined) return `its answer ${answer} is no service for apps`;
  if (call.discloses === 'directory' && mayBeDirectory(call)) return undefined;
  if (scope === 'container' && method !== 'GET') return `it writes (${method}), which asks for a token`;
  const owner = ownerOfPath(path);
  if (owner !== 'container' && owner !== scope) return `what lies at its path ${path} ${whose[owner]}`;
  const own = ownerOfClass(ontology, target);
  if (scope === 'record')
    return own === 'user' || own === 'app' ? `its target ${shortName(target)} ${whose[own]}` : undefined;
  if (own === undefined) return `its target ${shortName(target)} has no api:base_path that says whose it is`;
  // The answer may contain any class below the target.
  const exposed = [target, ...ontology.classes.keys()].find((iri) => {
    const owner = ownerOfClass(ontology, iri);
    return isA(ontology, iri, target) && owner !== undefined && owner !== scope;
  });
  if (exposed === undefined) return undefined;
  const what = exposed === target ? 'its target' : `${shortName(exposed)}, which stands beneath its target,`;
  const name = exposed === target ? ` ${shortName(exposed)}` : '';
  return `${what}${name} ${whose[ownerOfClass(ontology, exposed) ?? 'record']}`;
}

const callAccess: OntologyRule = {
  id: 'call-access',
  severity: 'error',
  summary: 'A call that reaches data of a record or a user has that scope.',
  hint: 'State api:category "record" for data of a record, "user" for data of a user, "app" for services to an app; a directory of people says cg:discloses "directory".',
  check: ({ ontology }) =>
    ontology.calls.flatMap((call) => {
      const why = exposure(call, ontology);
      return why === undefined
        ? []
        : breach(call.iri, `has the scope ${call.scope}, but ${why}`, api.category);
    }),
};

const callDiscloses: OntologyRule = {
  id: 'call-discloses',
  severity: 'error',
  summary: 'Only a call that finds people or names one user discloses who they are.',
  hint: 'Remove cg:discloses. It is for a GET of the scope container whose target is sp:Demographics or sp:User, and its one value is "directory".',
  check: ({ graph, ontology }) =>
    ontology.calls.flatMap((call) => {
      const values = graph.objects(call.iri, cg.discloses).map(({ value }) => value);
      if (values.length === 0) return [];
      const isKnown = values.length === 1 && (disclosures as readonly string[]).includes(values[0] ?? '');
      const says = isKnown
        ? 'states cg:discloses, but finds no people and names no user of the container'
        : `must state as cg:discloses nothing but ${disclosures.join(', ')}`;
      return isKnown && mayBeDirectory(call) ? [] : breach(call.iri, says, cg.discloses);
    }),
};

export const accessRules = [callAccess, callDiscloses];
