import { Problem } from '../../model/problem.js';
import type { CallModel } from '../../model/ontology/model.js';
import { describeDocuments, readContents } from '../../records/documents/describe-documents.js';
import { fileOf } from '../../records/documents/content-key.js';
import { single } from '../../records/lists/arguments.js';
import type { Answer, FileAnswer, Representation } from '../answer.js';
import { readMediaType } from '../media-type.js';
import { forCalls, type CallRequest, type Handler } from '../request-context.js';
import { preferredType, chooseRepresentation } from '../respond/negotiate.js';
import { writeTriples } from '../../rdf/ntriples.js';
import { graphAnswer } from './graph-answer.js';
import type { LongGraph } from './write-graph.js';
import { addressed, noSuchResource, readSingle, type CallParts, type Reads } from './reads.js';

const forms = ['metadata', 'raw', 'combined'] as const;
type Form = (typeof forms)[number];

/** Answers with documents as metadata, as metadata with content, or with one as its file. */
export function documentHandler(parts: CallParts): Handler {
  return forCalls(async (request): Promise<Answer> => {
    const asked = askedForm(request);
    const form = asked ?? defaultForm(request.route.call);
    const { app = '' } = request.verified?.principal ?? {};
    const described = graphAnswer(parts, request, ({ quads, link }) => {
      const metadata = describeDocuments(quads);
      if (form === 'metadata') return { quads: metadata, link };
      const read = async (): Promise<LongGraph> => ({
        texts: [new TextEncoder().encode(writeTriples(metadata))],
        contents: await readContents(quads, parts.documents),
      });
      return async (format) => ({ body: (await parts.longGraphs.write(app, format, read)).body, link });
    });
    // Contents are large, mostly compressed already, and verified each time they are sent.
    const answer = { ...described, cached: form === 'metadata', isCoded: form === 'metadata' };
    if (form === 'raw') {
      // A file has no `_format`, but an unknown value is refused.
      chooseRepresentation(request.context, request.query.format, answer.representations);
      return fileAnswer(parts, request);
    }
    return asked === undefined && (await prefersFile(parts, request, answer.representations))
      ? { ...(await fileAnswer(parts, request)), headers: { Vary: 'Accept' } }
      : answer;
  });
}

/** Reads the parameter `format`. @throws Problem invalid-parameter for a form that the call does not list */
function askedForm({ route, query }: CallRequest): Form | undefined {
  const text = single(query.declared, 'format');
  if (text === undefined) return undefined;
  const choices = route.call.parameters.find(({ name }) => name === 'format')?.choices ?? [];
  const form = forms.find((each) => each === text);
  if (form && choices.includes(form)) return form;
  throw new Problem('invalid-parameter', `The value of format is not one of ${choices.join(', ')}.`, {
    extra: { parameter: 'format' },
  });
}

/** Specification 4.2: lists are metadata, a document is its file unless the call has an RDF media type. */
function defaultForm({ cardinality, contentType }: CallModel): Form {
  if (cardinality === 'multiple') return 'metadata';
  return contentType === undefined ? 'raw' : 'combined';
}

/** Whether Accept prefers the file. Without Accept, the description is sent. */
async function prefersFile(reads: Reads, request: CallRequest, described: readonly Representation[]) {
  const { context, route, query } = request;
  if (route.call.cardinality === 'multiple' || query.format !== undefined) return false;
  const accept = context.get('Accept');
  // The file can only matter if other types are accepted.
  if (chooseRepresentation(context, undefined, described) && !/image\/|video\/|audio\//i.test(accept))
    return false;
  const found = await readSingle(reads, addressed(request));
  // Even for a missing document, Accept may exclude the description; the file then answers 404.
  if (found.length === 0) return !chooseRepresentation(context, undefined, described);
  const mediaType = fileOf(found, request.resource)?.mediaType;
  const type = mediaType === undefined ? undefined : readMediaType(mediaType);
  if (!type) return false;
  return preferredType(accept, [...described.map((each) => each.mediaType), type.essence]) === type.essence;
}

async function fileAnswer(reads: Reads, request: CallRequest): Promise<FileAnswer> {
  const found = await readSingle(reads, addressed(request));
  if (found.length === 0) throw noSuchResource();
  const file = fileOf(found, request.resource);
  if (!file) {
    throw new Problem(
      'not-found',
      'The record describes this document but has no file of it; ask for metadata.',
    );
  }
  return { kind: 'file', ...file };
}
