import { createHash } from 'node:crypto';
import { isObject } from '../../rdf/json-object.js';
import { formatOfMediaType } from '../../rdf/formats.js';
import { parseRdf } from '../../rdf/parse.js';
import type { Quad } from '../../rdf/terms.js';
import { api, rdf } from '../../rdf/vocabulary.js';
import type { Asked, Reply, Request } from './ask.js';
import { BASE, describeGraph, merged, missingFrom } from './describe-graph.js';
import type { CallTest, Description, Expectation, Suite } from './suite.js';

/** The answer of a container differs from ontology and data. */
export class TestFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TestFailure';
  }
}

const SHOWN = 8;

interface Run {
  readonly suite: Suite;
  readonly container: Asked;
  readonly test: CallTest;
  readonly ask: (changes?: Partial<Request>) => Promise<Reply>;
}

type Of<KIND extends Expectation['kind']> = Extract<Expectation, { kind: KIND }>;

const checks: { readonly [KIND in Expectation['kind']]: (run: Run, expected: Of<KIND>) => Promise<void> } = {
  refusal: async ({ ask }, { status }) => {
    const reply = await ask();
    equal('status', reply.status, status);
    equal('media type', typeOf(reply), 'application/problem+json');
    equal('status in the document', (json(reply) as { status?: unknown }).status, status);
  },
  graph: async (run, expected) => {
    const reply = await answered(run);
    equal('media type', typeOf(reply), expected.type);
    sameDescription(await descriptionOf(run, reply), expectedOf(run.suite, expected), expected.open);
  },
  list: async (run, expected) => {
    const reply = await answered(run);
    equal('media type', typeOf(reply), expected.type);
    const quads = await graphOf(reply);
    const list = summaryOf(quads, run.container.base);
    if (expected.summary) {
      equal('order', list?.order, expected.order);
      equal('total', list?.total, expected.order.length);
    }
    const described = describeGraph(list?.rest ?? quads, run.container.base);
    sameDescription(described, expectedOf(run.suite, expected), expected.open);
  },
  walk: async (run, { limit, order, target }) => {
    const { base } = run.container;
    const seen: string[] = [];
    let next: string | undefined = run.test.target;
    for (let page = 0; next !== undefined && page <= order.length; page++) {
      const reply = await answered(run, { target: next });
      const quads = await graphOf(reply);
      const members = summaryOf(quads, base)?.order ?? instancesIn(quads, target, base);
      if (members.length > limit) throw new TestFailure(`a page of ${limit} has ${members.length} members`);
      seen.push(...members);
      const link = /<([^<>]+)>; rel="next"/.exec(reply.headers.get('Link') ?? '')?.[1];
      next = link?.slice(base.length);
    }
    equal('members of all pages', seen, order);
  },
  'same graph': async (run, { types }) => {
    const first = await descriptionOf(run, await answered(run));
    for (const type of types) {
      const format = formatOfMediaType(type) ?? '';
      const separator = run.test.target.includes('?') ? '&' : '?';
      const byName = { target: `${run.test.target}${separator}_format=${format}` };
      for (const asked of [{ headers: { Accept: type } }, byName]) {
        const reply = await answered(run, asked);
        equal(`media type, asked for ${type}`, typeOf(reply), type);
        sameDescription(await descriptionOf(run, reply), first);
      }
    }
    const refused = await run.ask({ headers: { Accept: 'application/x-no-such-type' } });
    equal('status for a type that nobody has', refused.status, 406);
  },
  unchanged: async (run) => {
    const tag = (await answered(run)).headers.get('ETag');
    if (tag === null) throw new TestFailure('the answer has no ETag');
    const again = await run.ask({ headers: { 'If-None-Match': tag } });
    equal('status for a tag that still holds', again.status, 304);
    equal('bytes of a 304', again.bytes.length, 0);
    const other = await run.ask({ headers: { 'If-None-Match': '"another"' } });
    equal('status for another tag', other.status, 200);
    const failed = await run.ask({ headers: { 'If-Match': '"another"' } });
    equal('status where another tag must match', failed.status, 412);
  },
  'without content': async (run) => {
    const [full, head] = [await answered(run), await run.ask({ method: 'HEAD' })];
    equal('status of HEAD', head.status, full.status);
    equal('bytes of HEAD', head.bytes.length, 0);
    equal('ETag of HEAD', head.headers.get('ETag'), full.headers.get('ETag'));
    equal('media type of HEAD', typeOf(head), typeOf(full));
  },
  json: async (run, { members }) => {
    const reply = await answered(run);
    equal('media type', typeOf(reply), 'application/json');
    const fault = lacks(json(reply), replaced(members, run.container.base), 'the document');
    if (fault !== undefined) throw new TestFailure(fault);
  },
  file: async (run, { size, sha256 }) => {
    const reply = await answered(run);
    equal('bytes', reply.bytes.length, size);
    equal('SHA-256', createHash('sha256').update(reply.bytes).digest('hex'), sha256);
    const part = await run.ask({ headers: { Range: 'bytes=1-2' } });
    equal('status of a range', part.status, 206);
    equal('bytes of a range', [...part.bytes], [...reply.bytes.subarray(1, 3)]);
    const beyond = await run.ask({ headers: { Range: `bytes=${size}-` } });
    equal('status of a range beyond the end', beyond.status, 416);
  },
  stored: async (run) => {
    const body = { type: 'application/json', text: '{"kept":"by a test"}' };
    const stored = await run.ask({ body });
    equal('status of what is stored', stored.status, 200);
    const read = await run.ask({ method: 'GET' });
    equal('what is read back', new TextDecoder().decode(read.bytes), body.text);
    equal('its media type', typeOf(read), body.type);
    const failed = await run.ask({ body, headers: { 'If-Match': '"another"' } });
    equal('status of a change that another tag must allow', failed.status, 412);
    equal('status of a removal', (await run.ask({ method: 'DELETE' })).status, 200);
    equal('bytes after the removal', (await run.ask({ method: 'GET' })).bytes.length, 0);
  },
  added: async (run, { lines }) => {
    const { container, test } = run;
    const added = await run.ask();
    if (added.status !== 200 && added.status !== 201)
      throw new TestFailure(`status ${added.status}, not 200 or 201`);
    const place = added.headers.get('Location') ?? '';
    if (!place.startsWith(`${container.base}/`))
      throw new TestFailure('the answer has no Location in the container');
    const path = place.slice(container.base.length);
    for (const reply of [added, await container.ask({ method: 'GET', target: path, as: test.as })]) {
      const described = await descriptionOf(run, reply);
      const missing = missingFrom({ [BASE + path]: lines }, described);
      if (missing.length > 0) throw new TestFailure(difference(missing, []));
    }
  },
};

/** Makes the request of a test, and more if needed to check the answer. @throws TestFailure that says how it differs */
export async function checkCall(suite: Suite, test: CallTest, container: Asked): Promise<void> {
  const { method, target, as } = test;
  const body = test.body && { ...test.body, text: test.body.text.replaceAll(BASE, container.base) };
  const ask: Run['ask'] = (changes = {}) => {
    return container.ask({ method, target, as, ...(body ? { body } : {}), ...changes });
  };
  const check = checks[test.expect.kind] as (run: Run, expected: Expectation) => Promise<void>;
  await check({ suite, container, test, ask }, test.expect);
}

async function answered({ ask }: Run, changes?: Partial<Request>): Promise<Reply> {
  const reply = await ask(changes);
  if (reply.status !== 200) {
    const detail =
      typeOf(reply) === 'application/problem+json' ? `: ${new TextDecoder().decode(reply.bytes)}` : '';
    throw new TestFailure(`status ${reply.status}, not 200${detail}`);
  }
  return reply;
}

async function graphOf(reply: Reply): Promise<Quad[]> {
  const format = formatOfMediaType(typeOf(reply));
  if (!format) throw new TestFailure(`the media type ${typeOf(reply)} is not one of a graph`);
  return parseRdf(reply.bytes, { format });
}

/** Describes an answer, without the summary of a list. */
async function descriptionOf(run: Run, reply: Reply): Promise<Description> {
  return describeGraph(await graphOf(reply), run.container.base);
}

function expectedOf(
  { resources }: Suite,
  { resources: paths, described }: Of<'graph'> | Of<'list'>,
): Description {
  return merged([...paths.map((path) => resources[path] ?? {}), described ?? {}]);
}

function sameDescription(found: Description, expected: Description, isOpen = false): void {
  const missing = missingFrom(expected, found);
  const more = isOpen ? [] : missingFrom(found, expected);
  if (missing.length + more.length > 0) throw new TestFailure(difference(missing, more));
}

function difference(missing: readonly string[], more: readonly string[]): string {
  const lines = [...missing.map((line) => `- ${line}`), ...more.map((line) => `+ ${line}`)];
  const left = lines.length > SHOWN ? [`… and ${lines.length - SHOWN} more`] : [];
  return ['the answer differs; - is missing, + should not be there:', ...lines.slice(0, SHOWN), ...left].join(
    '\n',
  );
}

interface Summary {
  readonly order: readonly string[];
  readonly total: number;
  readonly rest: readonly Quad[];
}

/** Reads the summary of a list, its order as paths below the base URL. */
function summaryOf(quads: readonly Quad[], base: string): Summary | undefined {
  const node = quads.find(({ object }) => object.value === api.ResponseSummary)?.subject;
  if (!node) return undefined;
  const value = (subject: string, property: string) =>
    quads.find((each) => each.subject.value === subject && each.predicate.value === property)?.object;
  const order: string[] = [];
  const own = new Set([node.value]);
  let cell = value(node.value, api.resultOrder);
  while (cell && cell.value !== rdf.nil && !own.has(cell.value)) {
    own.add(cell.value);
    order.push((value(cell.value, rdf.first)?.value ?? '').slice(base.length));
    cell = value(cell.value, rdf.rest);
  }
  const total = Number(value(node.value, api.totalResultCount)?.value);
  return { order, total, rest: quads.filter(({ subject }) => !own.has(subject.value)) };
}

function instancesIn(quads: readonly Quad[], type: string, base: string): string[] {
  const found = quads.filter(
    ({ predicate, object }) => predicate.value === rdf.type && object.value === type,
  );
  return [...new Set(found.map(({ subject }) => subject.value.slice(base.length)))].sort();
}

function json(reply: Reply): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(reply.bytes));
  } catch {
    throw new TestFailure('the answer is no JSON');
  }
}

/** Returns what a JSON value lacks of another; members of arrays are matched by `id`. */
function lacks(found: unknown, expected: unknown, at: string): string | undefined {
  if (Array.isArray(expected) && expected.every((each) => isObject(each) && 'id' in each)) {
    const all: unknown[] = Array.isArray(found) ? found : [];
    const faults = expected.map((each) => {
      const { id } = each as { id: unknown };
      const own = all.find((other) => isObject(other) && other['id'] === id);
      return lacks(own, each, `${at}, ${JSON.stringify(id)}`);
    });
    return faults.find((fault) => fault !== undefined);
  }
  if (isObject(expected)) {
    if (!isObject(found)) return `${at} is no object`;
    const faults = Object.entries(expected).map(([key, value]) => lacks(found[key], value, `${at}, ${key}`));
    return faults.find((fault) => fault !== undefined);
  }
  const sorted = (value: unknown): string =>
    JSON.stringify(Array.isArray(value) ? [...value].sort() : value) ?? 'nothing';
  return sorted(found) === sorted(expected)
    ? undefined
    : `${at} is ${sorted(found)}, not ${sorted(expected)}`;
}

const replaced = (value: unknown, base: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(BASE, base));

const typeOf = ({ headers }: Reply): string =>
  (headers.get('Content-Type') ?? '').replace(/;.*$/s, '').trim();

function equal(what: string, found: unknown, expected: unknown): void {
  const [own, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (own !== other) throw new TestFailure(`${what} is ${own}, not ${other}`);
}
