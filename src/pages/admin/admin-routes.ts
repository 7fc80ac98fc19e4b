import { AccountError, isUserId } from '../../access/accounts/account-ids.js';
import { byAdministrator } from '../../access/log/access-entry.js';
import { guardedRow } from '../../access/log/read-entries.js';
import type { User } from '../../access/accounts/users.js';
import type { Flow } from '../../access/oauth/flow.js';
import { withParameters } from '../../access/oauth/flow.js';
import type { PlainAnswer } from '../../http/answer.js';
import type { PageParts } from '../../http/app-parts.js';
import { pageAnswer, redirect } from '../../http/sign-in/page-answer.js';
import {
  readFields,
  signedInForm,
  signInFirst,
  type Fields,
  type PageRequest,
} from '../../http/sign-in/page-request.js';
import type { Page } from '../../http/sign-in/page-routes.js';
import { Problem } from '../../model/problem.js';
import { accessLogSection } from './access-log-section.js';
import { appsSection } from './apps-section.js';
import { cellText } from './list-cells.js';
import { emergenciesSection } from './emergencies-section.js';
import { exportsSection, queriesSection, webhooksSection } from './work-sections.js';
import { questionPage, sectionPage, type SectionView } from './section-page.js';
import type { ActFacts, Form, Row, Section } from './section.js';
import { stateSection } from './state-section.js';
import { tokensSection } from './tokens-section.js';
import { usersSection } from './users-section.js';

const SHOWN = 100;
const IN_TABLE = 5000;
/** A manifest is pasted into a form. */
const FORM_LIMIT = 128 * 1024;

/** `/admin` and a page for each section, for administrators alone. */
export function adminPages(parts: PageParts): Readonly<Record<string, Page>> {
  const makers = [
    ...[usersSection, emergenciesSection, appsSection, tokensSection, webhooksSection, exportsSection],
    ...(parts.settings.analystSocket === undefined ? [] : [queriesSection]),
    ...[accessLogSection, stateSection],
  ];
  const sections = makers.map((make) => make(parts));
  const first = `${parts.site.basePath}/admin/users`;
  return {
    '/admin': () => ({ GET: () => redirect(first) }),
    ...Object.fromEntries(
      sections.map((section) => [`/admin/${section.name}`, sectionRoute(parts, sections, section)]),
    ),
  };
}

function sectionRoute({ site }: PageParts, sections: readonly Section[], section: Section): Page {
  const here = `${site.basePath}/admin/${section.name}`;

  const draw = async (
    request: PageRequest,
    query: Fields,
    more: Pick<SectionView, 'problem' | 'shown'> & { readonly failed?: Form; readonly typed?: Fields } = {},
  ): Promise<PlainAnswer> => {
    const asked = query.get('id') ?? '';
    let { problem } = more;
    const { failed } = more;
    // What could not be done is put right in its form: a long list would hide it.
    const isForm = failed !== undefined && asked === '';
    const all = isForm
      ? []
      : await Promise.resolve(section.list(request, query)).catch((error: unknown) => {
          problem = sentenceOf(error);
          return [];
        });
    const own = asked === '' ? [] : all.filter(({ id }) => id === asked);
    const id = own.length > 0 ? asked : '';
    const isMissing = asked !== '' && id === '' && problem === undefined && section.one !== undefined;
    if (isMissing) problem = `There is no ${section.one} “${asked}”.`;
    const found =
      id === '' ? all.filter((row) => row.isFound === true || holds(row, query.get('q') ?? '')) : own;
    const isTable = query.get('format') === 'csv';
    const from = isTable ? 0 : pageStart(query, found.length);
    const rows = await Promise.all(found.slice(from, from + (isTable ? IN_TABLE : SHOWN)).map(filled));
    if (isTable && problem === undefined) return table(section, rows);
    const { forms = [], rowForms = [] } = section;
    const reader = request.visitor.user?.id ?? '';
    const drawn = (id === '' ? forms : rowForms)
      .filter((form) => failed === undefined || form === failed)
      .filter(({ isFor }) => isFor?.(id, reader) ?? true)
      .map(async (form) => ({
        form,
        fields: await form.fields?.(id, request, more.typed ?? new Map()),
      }));
    const done = [...forms, ...rowForms].find(({ act }) => act === query.get('done'))?.done;
    const { page } = request.visitor;
    return pageAnswer(
      page,
      sectionPage(page, {
        ...{ sections, section, id, rows, query, done, problem, isForm, from, total: found.length },
        ...{ forms: await Promise.all(drawn), shown: more.shown },
      }),
      {
        status: problem === undefined ? 200 : isMissing ? 404 : 400,
        headers: { 'Cache-Control': 'no-store' },
      },
    );
  };

  return (flow) => ({
    bodyLimit: FORM_LIMIT,
    GET: (request) => {
      const { user } = request.visitor;
      if (!user) return signInFirst(site, request.target.raw);
      requireAdmin(flow, user);
      return draw(request, readFields(request.target.query));
    },
    POST: signedInForm(site, here, async (request, admin, fields) => {
      requireAdmin(flow, admin);
      const id = fields.get('id') ?? '';
      const form = [...(section.forms ?? []), ...(section.rowForms ?? [])].find(
        ({ act }) => act === fields.get('act'),
      );
      if (!form) throw new Problem('malformed-request', 'The form names no act of this page.');
      const acting = { admin, fields, id, flow, request };
      const back = new Map(id === '' ? [] : [['id', id] as const]);
      let question: string | undefined;
      try {
        question = await form.asks?.(acting);
      } catch (error) {
        return draw(request, back, { problem: sentenceOf(error), failed: form, typed: fields });
      }
      if (question !== undefined && fields.get('confirmed') !== question) {
        const { page } = request.visitor;
        const asked = { here, back: withParameters(here, Object.fromEntries(back)), form, fields, question };
        return pageAnswer(page, questionPage(page, asked), { headers: { 'Cache-Control': 'no-store' } });
      }
      const about = { ...onlyIds(await form.about(acting)), reason: byAdministrator(admin.id) };
      // As commands do: a container that stops in the middle leaves what it was about to do.
      flow.audit(form.decision, { ...about, outcome: 'begun' });
      try {
        if (form.isFor?.(id, admin.id) === false) throw new AccountError('This cannot be done here now.');
        const { facts, given, shown, made } = (await form.run(acting)) ?? {};
        flow.audit(form.decision, { ...about, ...facts, reason: byAdministrator(admin.id, given) });
        if (form.ends) back.delete('id');
        if (made !== undefined) back.set('id', made);
        if (shown) return await draw(request, back, { shown });
      } catch (error) {
        flow.audit(form.decision, { ...about, outcome: 'failed' });
        return draw(request, back, { problem: sentenceOf(error), failed: form, typed: fields });
      }
      return redirect(withParameters(here, { ...Object.fromEntries(back), done: form.act }), 303);
    }),
  });
}

/** Returns where in a list the page begins that the query asks for. */
function pageStart(query: Fields, total: number): number {
  const page = Math.floor(Number(query.get('from') ?? 0) / SHOWN) * SHOWN;
  return page >= 0 && page < total ? page : 0;
}

/** Leaves out what was typed and is no id: the access log holds ids only. */
const onlyIds = (about: ActFacts): ActFacts =>
  Object.fromEntries(Object.entries(about).filter(([, id]) => id !== undefined && isUserId(id)));

/** @throws Problem forbidden, recorded */
function requireAdmin({ audit }: Flow, { id, role }: User): void {
  if (role === 'admin') return;
  audit('administration.refused', { user: id });
  throw new Problem('forbidden', 'Only administrators open this page.');
}

/** @throws the error, if it has no sentence for people */
function sentenceOf(error: unknown): string {
  if (error instanceof AccountError) return error.message;
  throw error;
}

const filled = async ({ id, cells }: Row): Promise<SectionView['rows'][number]> => ({
  id,
  cells: await Promise.all(cells.map(async (cell) => (typeof cell === 'function' ? cell() : cell))),
});

const holds = ({ cells }: Row, text: string): boolean =>
  cells.some(
    (cell) => typeof cell !== 'function' && cellText(cell).toLowerCase().includes(text.trim().toLowerCase()),
  );

function table({ name, columns, tableColumns = columns }: Section, rows: SectionView['rows']): PlainAnswer {
  return {
    kind: 'plain',
    mediaType: 'text/csv; charset=utf-8; header=present',
    headers: { 'Content-Disposition': `attachment; filename="${name}.csv"`, 'Cache-Control': 'no-store' },
    body: [tableColumns, ...rows.map(({ cells }) => cells.map(cellText))].map(guardedRow).join(''),
  };
}
