import { ANYTHING, factsOf } from '../../model/ontology/answer-forms.js';
import type { CallModel } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { rdf } from '../../rdf/vocabulary.js';
import type { SeedContent } from '../../records/seed.js';
import type { NamedGraph } from '../../store/graph-store.js';
import { targetOf, type ExampleRequest } from './example.js';

export const keptText = { mediaType: 'application/json', text: '{"view":"timeline","years":5}' };

/** The sender of example requests: an app of the seed for a clinician of the seed. */
export interface Sender {
  readonly app: string;
  readonly user: string;
  readonly records: readonly string[];
}

/** Chooses the sender; undefined for a seed without apps, users or records. */
export function senderOf({ apps, users, patients }: SeedContent): Sender | undefined {
  const app = apps.find(({ mode }) => mode === 'ui') ?? apps[0];
  const user = users.find(({ role }) => role === 'clinician') ?? users[0];
  const records = patients.map(({ recordId }) => recordId);
  return app && user && records.length > 0 ? { app: app.id, user: user.user_id, records } : undefined;
}

/** Returns possible example requests, the best first. @param base without a trailing slash */
export function candidateRequests(
  call: CallModel,
  sender: Sender,
  graphs: readonly NamedGraph[],
  base: string,
): ExampleRequest[] {
  const query = queryOf(call);
  return pathsOf(call, sender, graphs, base).map((path) => ({
    call,
    path,
    query,
    target: targetOf(call, { path, query }),
    app: sender.app,
    user: sender.user,
    record: path['record_id'] ?? sender.records[0] ?? '',
    ...(factsOf(call).takes.includes(ANYTHING) ? { body: keptText } : {}),
  }));
}

/** A single document is described instead of sent, since its bytes would explain nothing. */
function queryOf(call: CallModel): ExampleRequest['query'] {
  const form = call.parameters.find(({ name }) => name === 'format');
  const isFile = factsOf(call).ranges && form?.choices.includes('metadata');
  return isFile === true ? [['format', 'metadata']] : [];
}

function pathsOf(
  call: CallModel,
  { app, user, records }: Sender,
  graphs: readonly NamedGraph[],
  base: string,
): Record<string, string>[] {
  const known: Readonly<Record<string, string>> = { smart_app_id: app, user_id: user };
  const others = call.pathParameters.filter((name) => name !== 'record_id');
  if (factsOf(call).ownedByApp || others.length === 0) {
    const own = Object.fromEntries(others.map((name) => [name, known[name] ?? '']));
    return call.pathParameters.includes('record_id')
      ? records.map((record) => ({ ...own, record_id: record }))
      : [own];
  }
  const template = PathTemplate.of(call.path);
  const found = graphs.flatMap((graph) => {
    const path = template.match(graph.name.slice(base.length));
    if (!path) return [];
    const isSender = Object.values(path).some((value) => value === app || value === user);
    return [{ path, rank: (isTarget(graph, call) ? 2 : 0) + (isSender ? 1 : 0) }];
  });
  return found.sort((a, b) => b.rank - a.rank).map(({ path }) => path);
}

function isTarget({ name, quads }: NamedGraph, { target }: CallModel): boolean {
  return quads.some(
    ({ subject, predicate, object }) =>
      subject.value === name && predicate.value === rdf.type && object.value === target,
  );
}
