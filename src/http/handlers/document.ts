import { Problem } from '../../problem.js';
import type { CallModel } from '../../ontology/model.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import { fileOf } from '../../records/documents/file-of.js';
import { single } from '../../records/lists/arguments.js';
import type { DocumentStore } from '../../disk/document-files.js';
import type { Answer, FileAnswer, Representation } from '../answer.js';
import { readMediaType } from '../media-type.js';
import { forCalls, type CallRequest, type Handler } from '../request-context.js';
import { preferredType } from '../respond/accept.js';
import { chooseRepresentation } from '../respond/negotiate.js';
import { graphAnswer, type StoredParts } from './graph-answer.js';
import { addressed, noSuchResource, readSingle, type Reads } from './reads.js';

const forms = ['metadata', 'raw', 'combined'] as const;
type Form = (typeof forms)[number];

/** Answers with documents: described, with their content in the description, or one as the file itself. */
export function documentHandler(parts: StoredParts & { readonly documents: DocumentStore }): Handler {
  return forCalls(async (request): Promise<Answer> => {
    const asked = askedForm(request);
    const form = asked ?? defaultForm(request.route.call);
    const described = graphAnswer(parts, request, async ({ quads, link }) => ({
      quads: await describeDocuments(quads, parts.documents, form === 'raw' ? 'combined' : form),
      link,
    }));
    // Contents are large, and their bytes are checked each time that they are sent.
    const answer = { ...described, cached: form === 'metadata' };
    if (form === 'raw') {
      // A serialisation has no say here, but a wrong one is still named.
      chooseRepresentation(request.context, request.query.format, answer.representations);
      return fileAnswer(parts, request);
    }
    return asked === undefined && (await prefersFile(parts, request, answer.representations))
      ? { ...(await fileAnswer(parts, request)), headers: { Vary: 'Accept' } }
      : answer;
  });
}

/** @throws Problem invalid-parameter for a form that the ontology does not list for the call */
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

/** Specification 4.2: a list is described, one document is its file, unless its call answers with a media type of RDF. */
function defaultForm({ cardinality, contentType }: CallModel): Form {
  if (cardinality === 'multiple') return 'metadata';
  return contentType === undefined ? 'raw' : 'combined';
}

/** Whether Accept would rather have the file than its description; what has no file is described. */
async function prefersFile(
  reads: Reads,
  request: CallRequest,
  described: readonly Representation[],
): Promise<boolean> {
  const { context, route, query } = request;
  if (route.call.cardinality === 'multiple' || query.format !== undefined) return false;
  const accept = context.get('Accept');
  // Without a word about other types there is nothing to look up.
  if (chooseRepresentation(context, undefined, described) && !/image\/|video\/|audio\//i.test(accept))
    return false;
  const found = await readSingle(reads, addressed(request));
  // Of what is not there, Accept may exclude the empty description; then the file is looked for in vain.
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
