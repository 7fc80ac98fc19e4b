import { randomUUID } from 'node:crypto';
import { noteCheckPage, notePage, type NoteForm } from './note-page.js';
import { Problem } from '../../model/problem.js';
import { writeTriples } from '../../rdf/ntriples.js';
import { blankNode, literal, namedNode, say, type Quad, type Term } from '../../rdf/terms.js';
import { dcterms, mediaTypes, rdf, rdfs, sp } from '../../rdf/vocabulary.js';
import { repeatable } from '../../records/posted/idempotency.js';
import { isProvider } from '../../records/posted/provider.js';
import type { PlainAnswer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { traceOf } from '../../http/request-context.js';
import { readPageForm, type PageRequest } from '../../http/sign-in/page-request.js';
import { pageAnswer, redirect } from '../../http/sign-in/page-answer.js';
import type { OpenedRecord } from '../../http/recorded-reads.js';
import { frameOf, noteCall, notesClosed, pathsOfStatements, stripOf } from './record-frame.js';
import { RecordReads, type RecordParts } from './record-reads.js';

/** `/account/notes/{record_id}`: shows and handles the form. */
export function noteForm(
  site: Site,
  parts: RecordParts,
  { visitor }: PageRequest,
  opened: OpenedRecord,
): Promise<PlainAnswer> {
  return shownForm(site, parts, visitor, opened, {
    title: '',
    text: '',
    key: randomUUID(),
    isClosed: notesClosed(opened, parts.ontology),
  });
}

async function shownForm(
  site: Site,
  parts: RecordParts,
  { page }: PageRequest['visitor'],
  opened: OpenedRecord,
  form: Omit<NoteForm, 'frame' | 'strip' | 'isSigned'>,
): Promise<PlainAnswer> {
  const status = form.isClosed ? 403 : form.problem === undefined ? 200 : 400;
  const isSigned = isProvider(opened.user);
  const strip = await stripOf(site, parts, new RecordReads(parts, opened.data));
  const frame = frameOf(opened, parts.ontology);
  return pageAnswer(page, notePage(page, { frame, strip, isSigned, ...form }), { status });
}

/** `/account/notes/{record_id}/check`: shows a note before it is filed, or the form again. */
export async function checkNote(
  site: Site,
  parts: RecordParts,
  request: PageRequest,
  opened: OpenedRecord,
): Promise<PlainAnswer> {
  // The log would say that something was written.
  traceOf(request.context).access = { isRead: true };
  if (notesClosed(opened, parts.ontology)) return noteForm(site, parts, request, opened);
  const { step, ...form } = readNote(request);
  if (form.problem !== undefined || step === 'change')
    return shownForm(site, parts, request.visitor, opened, form);
  const { page } = request.visitor;
  const strip = await stripOf(site, parts, new RecordReads(parts, opened.data));
  return pageAnswer(page, noteCheckPage(page, { frame: frameOf(opened, parts.ontology), strip, ...form }));
}

function readNote(request: PageRequest) {
  const fields = readPageForm(request);
  const title = fields.get('title')?.trim() ?? '';
  // Forms send CR LF (WHATWG HTML, form submission); notes have LF.
  const text = (fields.get('text') ?? '').replaceAll('\r\n', '\n').trim();
  const isLong = title.length > 200 || text.length > 20_000;
  const problem =
    title === '' || text === ''
      ? 'Write a title and a note.'
      : isLong
        ? 'A title has at most 200 characters, a note 20,000. Make it shorter, or write two.'
        : undefined;
  return { title, text, key: fields.get('key') ?? '', step: fields.get('step'), problem };
}

/** Adds a note to the record as an app would, then redirects to it. */
export async function writeNote(
  site: Site,
  parts: RecordParts,
  request: PageRequest,
  opened: OpenedRecord,
): Promise<PlainAnswer> {
  const { ontology, base } = parts;
  const { user, holder, data } = opened;
  const call = noteCall(ontology);
  const model = call && ontology.classes.get(call.target);
  if (!model) throw new Problem('not-found', 'This container takes no notes.');
  const { title, text, key, problem } = readNote(request);
  const again = (problem: string): Promise<PlainAnswer> =>
    shownForm(site, parts, request.visitor, opened, { title, text, key: randomUUID(), problem });
  if (problem !== undefined) return again(problem);
  // The idempotency key excludes the date, which may change at midnight.
  const body = Buffer.from(writeTriples(noteGraph({ title, text })), 'utf8');
  const owner = { app: '', user: user.id, record: holder.record, call: call.iri };
  try {
    const iri = await data.post({
      model,
      by: { user: user.id },
      provider: isProvider(user) ? await parts.people.userNames(request, user.id) : [],
      poster: { app: `/users/${user.id}`, quota: parts.settings.postQuota },
      body: Buffer.concat([body, Buffer.from(writeTriples(dated()), 'utf8')]),
      format: 'ntriples',
      repeatable: key === '' ? undefined : repeatable(key, owner, body, 'form'),
    });
    const there = pathsOfStatements(ontology, base, site.basePath)(iri);
    return redirect(
      there === undefined ? `${site.basePath}/account/records/${holder.record}` : `${there}?added=1`,
      303,
    );
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'unprocessable') throw error;
    return again(
      'The note holds characters that cannot be stored. Remove what is neither text nor a line break.',
    );
  }
}

const note: Term = blankNode('note');
const part = (name: string, type: string): [Term, Quad] => {
  const node = blankNode(name);
  return [node, say(node, rdf.type, namedNode(type))];
};

const dated = (): Quad[] => [say(note, dcterms.date, literal(`${new Date().toISOString().slice(0, 19)}Z`))];

/** Makes a note as an app would post it, undated. */
function noteGraph({ title, text }: { readonly title: string; readonly text: string }): Quad[] {
  const [resource, isResource] = part('resource', sp.Resource);
  const [content, isContent] = part('content', sp.Content);
  const format = namedNode(`${mediaTypes}text/plain`);
  return [
    say(note, rdf.type, namedNode(sp.ClinicalNote)),
    say(note, dcterms.title, literal(title)),
    say(note, dcterms.format, format),
    say(format, rdf.type, namedNode(dcterms.MediaTypeOrExtent)),
    say(format, rdfs.label, literal('text/plain')),
    say(note, sp.resource, resource),
    isResource,
    say(resource, sp.content, content),
    isContent,
    say(content, sp.encoding, literal('UTF-8')),
    say(content, sp.value, literal(text)),
  ];
}
