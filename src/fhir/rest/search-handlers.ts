import { allowsType } from '../../access/accounts/scopes.js';
import type { Answer } from '../../http/answer.js';
import type { Handler, RequestContext } from '../../http/request-context.js';
import type { CallModel } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { structureOf } from '../endpoint/rules/structures.js';
import { nameOf } from '../resource-names.js';
import type { Admitted } from './admitted.js';
import { bundle, entry, outcomeEntry, pageOf, type Link } from './bundles.js';
import { BINARY, pairsOf, turnOf, type FhirParts } from './fhir-parts.js';
import { outcome } from './operation-outcome.js';
import { dateFilter, isPatient, readSearch, refused, type Pairs, type Search } from './read-search.js';
import type { MadeResource } from './resource-maker.js';
import { definitionsOf } from './search-definitions.js';

const EVERYTHING = ['_type', '_since', '_count', '_page', '_format', '_pretty'];

/** Whether parameters that are not known are left out (R4 §3.1.1.1). */
export const isLenient = ({ context }: RequestContext): boolean =>
  /(?:^|[;,])\s*handling\s*=\s*"?lenient"?\s*(?:$|[;,])/iu.test(context.get('Prefer'));

/** Searches resources of a type in the record of the token. */
export const search =
  (parts: FhirParts): Handler =>
  async (request) => {
    const { type = '' } = request.path;
    if (type === BINARY)
      throw new Problem('not-found', 'A Binary is not searched for; search for DocumentReference.');
    const calls = await parts.callsOf(type);
    const pairs = pairsOf(request);
    const patients = patientsIn(type, pairs);
    const also = await linkedCalls(parts, request, type, pairs);
    const admitted = await parts.admit(request, { types: [type], calls, also, patients });
    const asked = readSearch(type, pairs, isLenient(request));
    return searched(parts, request, admitted, {
      ...asked,
      address: type,
      isWanted: (made) => made.type === type,
    });
  };

/** All of the patient's record that the app may read. */
export const everything =
  (parts: FhirParts): Handler =>
  async (request) => {
    const types = new Map(await parts.types(request));
    types.delete(BINARY);
    const { id = '' } = request.path;
    const pairs = pairsOf(request);
    const valueOf = (name: string): string | undefined => pairs.find(([own]) => own === name)?.[1];
    const wanted = valueOf('_type')?.split(',') ?? [...types.keys()];
    const known = wanted.filter((type) => types.has(type));
    const made = (known.length === 0 ? [...types.keys()] : known).flatMap((type) => types.get(type) ?? []);
    const calls = [...new Set(made)];
    const admitted = await parts.admit(request, { types: [...types.keys()], calls, patients: [id] });
    const asked = readSearch('Patient', pairs, isLenient(request), EVERYTHING);
    if (known.length < wanted.length)
      throw refused('_type', `_type is one of ${[...types.keys()].sort().join(', ')}.`);
    const since = valueOf('_since');
    const filters = since === undefined ? [] : [dateFilter('_lastUpdated', `ge${since}`)];
    const isWanted = ({ type }: MadeResource): boolean => wanted.includes(type);
    return searched(parts, request, admitted, {
      ...{ ...asked, filters, isWanted },
      address: `Patient/${encodeURIComponent(id)}/$everything`,
    });
  };

interface Asked extends Search {
  /** The path of the first page below `/fhir`. */
  readonly address: string;
  isWanted(made: MadeResource): boolean;
}

function searched(parts: FhirParts, request: RequestContext, admitted: Admitted, asked: Asked): Answer {
  const { base } = parts;
  const { record, calls, also } = admitted;
  const { address, pairs, page, include, isWanted } = asked;
  return parts.stored(request, admitted, [address, pairs, page], async () => {
    const all = (await parts.resources(admitted, calls, turnOf(request))).filter(isWanted);
    const { matches, total, next } = pageOf(all, asked, `${record} ${address}`);
    const links: Link[] = [{ relation: 'self', url: urlOf(base, address, pairs, page) }];
    const hidden = leftOut(parts, admitted);
    if (asked.isOnlyCounted) return bundle('searchset', total, links, hidden);
    if (next !== undefined) links.push({ relation: 'next', url: urlOf(base, address, pairs, next) });
    const linkedBy = ({ index }: MadeResource): string[] =>
      include.flatMap((name) => (index[name] ?? []) as readonly string[]);
    const names = new Set(matches.flatMap(linkedBy));
    for (const match of matches) names.delete(nameOf(match));
    const others = names.size === 0 ? [] : await parts.resources(admitted, also, turnOf(request));
    return bundle('searchset', total, links, [
      ...matches.map((each) => entry(each, base, 'match')),
      ...others
        .filter((each) => names.has(nameOf(each)) && allowsType(admitted, each.type))
        .map((each) => entry(each, base, 'include')),
      ...hidden,
    ]);
  });
}

/** Tells which statements an app may not read: without a word, a search would look complete. */
function leftOut({ app }: FhirParts, { refused: calls }: Admitted): string[] {
  if (calls.length === 0) return [];
  const { classes } = app.program.ontology;
  const names = calls.map(({ target, label }) => classes.get(target)?.plural ?? label);
  const sentence = `The app may not read ${[...new Set(names)].join(', ')}, so these are left out.`;
  return [outcomeEntry(outcome('information', 'suppressed', sentence))];
}

const urlOf = (base: string, address: string, pairs: Pairs, page: string | undefined): string => {
  const all = page === undefined ? pairs : [...pairs, ['_page', page] as const];
  const query = all
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return `${base}/${address}${query === '' ? '' : `?${query}`}`;
};

function patientsIn(type: string, pairs: Pairs): string[] {
  const definitions = definitionsOf(type);
  const isOne = (name: string): boolean =>
    type === 'Patient' ? name === '_id' : isPatient(definitions, name);
  return pairs.filter(([name]) => isOne(name)).flatMap(([, value]) => value.split(','));
}

/** The calls that make what references of a type lead to, for `_include`. */
async function linkedCalls(
  parts: FhirParts,
  request: RequestContext,
  type: string,
  pairs: Pairs,
): Promise<CallModel[]> {
  const given = pairs.flatMap(([name, value]) => (name === '_include' ? [value] : []));
  if (given.length === 0) return [];
  const { elements } = structureOf(type) ?? {};
  const isAll = given.some((value) => value === '*' || value.endsWith(':*'));
  const paths = [...definitionsOf(type).values()]
    .filter(({ type: kind, name }) => kind === 'reference' && (isAll || given.includes(`${type}:${name}`)))
    .flatMap((definition) => definition.paths);
  const types = await parts.types(request);
  const isTarget = (each: string): boolean =>
    paths.some((path) => elements?.get(path)?.targets?.has(each) ?? true);
  return [...new Set([...types].flatMap(([each, calls]) => (isTarget(each) ? calls : [])))];
}
