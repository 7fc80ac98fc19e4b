import { api, sp } from '../../rdf/vocabulary.js';
import { isA, type Scope } from '../ontology/model.js';
import { isAtOrBelow, PathTemplate } from '../ontology/path-template.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type OntologyRule } from './rule.js';

const scopePrefix: Partial<Record<Scope, string>> = {
  record: '/records/{record_id}',
  user: '/users/{user_id}',
  app: '/apps/{app_id}',
};

const callPathParameter: OntologyRule = {
  id: 'call-path-parameter',
  severity: 'error',
  summary: 'The path of a record, user or app call begins with the parameter of its scope.',
  hint: 'Begin the path with /records/{record_id}, /users/{user_id} or /apps/{app_id}, or change api:category.',
  check: ({ ontology }) =>
    ontology.calls.flatMap(({ iri: subject, scope, path }) => {
      const prefix = scopePrefix[scope];
      return prefix === undefined || isAtOrBelow(path, prefix)
        ? []
        : breach(subject, `has scope ${scope}, so its path must begin with ${prefix}`, api.path);
    }),
};

const callBasePath: OntologyRule = {
  id: 'call-base-path',
  severity: 'error',
  summary:
    'A statement class that a call reads or writes has a base path below the record; what a call reads there as a graph is a statement.',
  hint: 'Give a class below sp:Statement an api:base_path that begins with /records/{record_id}/: the path of one instance.',
  check: ({ ontology }) => [
    // Statements are named by the base path of their class; without one, nothing could be stored or found.
    ...ontology.calls.flatMap(({ iri: subject, method, target }) => {
      const reads = method === 'GET' || method === 'POST';
      const isPlaced = ontology.classes.get(target)?.basePath !== undefined;
      if (!reads || isPlaced || !isA(ontology, target, sp.Statement)) return [];
      const says = `has the target ${shortName(target)}, a statement class without api:base_path`;
      return breach(subject, says, api.target);
    }),
    // Only statements are loaded or posted, so a query for anything else would find nothing.
    ...ontology.calls.flatMap(({ iri: subject, scope, answer, target }) => {
      const model = ontology.classes.get(target);
      const isOfRecord = model?.basePath?.startsWith('/records/{record_id}/') ?? false;
      if (!isOfRecord || scope !== 'record' || answer !== 'rdf' || isA(ontology, target, sp.Statement))
        return [];
      const says = `has the target ${shortName(target)}, which lies below a record and is no sp:Statement`;
      return breach(subject, says, api.target);
    }),
    // Elsewhere, paths could reach them without a token for the record.
    ...[...ontology.classes.values()]
      .filter(
        ({ iri, basePath }) =>
          basePath !== undefined &&
          isA(ontology, iri, sp.Statement) &&
          !basePath.startsWith('/records/{record_id}/'),
      )
      .map(({ iri: subject, basePath }) =>
        breach(
          subject,
          `is a statement with the base path ${basePath}, which is not below /records/{record_id}/`,
          api.base_path,
        ),
      ),
  ],
};

/** Says which placeholder a path names in another way than the base path; a place has one name. */
function renamedIn(path: string, basePath: string): string | undefined {
  const [own, base] = [path, basePath].map((each) => PathTemplate.of(each));
  if (own === undefined || base === undefined || own.shape !== base.shape) return undefined;
  const index = own.parameters.findIndex((name, at) => name !== base.parameters[at]);
  if (index < 0) return undefined;
  return `has {${own.parameters[index] ?? ''}} where the base path has {${base.parameters[index] ?? ''}}`;
}

const callItemPath: OntologyRule = {
  id: 'call-item-path',
  severity: 'warning',
  summary:
    'A call for a single statement has the base path of its class with the same placeholders, one that posts has it without the id, and every list has a call for its items.',
  hint: 'Let the api:path of a GET be the api:base_path of the class, so that what has an IRI can be fetched, and that of a POST the same without the id at its end.',
  check: ({ ontology }) => {
    const read = new Set(
      ontology.calls.flatMap(({ method, cardinality, target, path }) => {
        const basePath = ontology.classes.get(target)?.basePath ?? '';
        const isItem =
          cardinality === 'single' || PathTemplate.of(path).shape === PathTemplate.of(basePath).shape;
        return method === 'GET' && isItem ? target : [];
      }),
    );
    return ontology.calls.flatMap(({ iri: subject, method, cardinality, scope, target, path }) => {
      const basePath = ontology.classes.get(target)?.basePath;
      if (scope !== 'record' || basePath === undefined || !isA(ontology, target, sp.Statement)) return [];
      const renamed = renamedIn(path, basePath);
      if (renamed !== undefined) return breach(subject, renamed, api.path);
      if (cardinality !== 'single' && method !== 'POST') {
        if (method !== 'GET' || read.has(target)) return [];
        const says = `lists ${shortName(target)}, of which no GET call reads a single one: its path is ${basePath}`;
        return breach(subject, says, api.path);
      }
      const shape = PathTemplate.of(path).shape;
      const isItem = shape === PathTemplate.of(basePath).shape;
      const list = basePath.replace(/\{[^{}/]*\}$/, '');
      const isList = shape === PathTemplate.of(list).shape;
      const says =
        method === 'POST'
          ? !isList && `posts ${shortName(target)} to another path than ${list}`
          : (method === 'GET' ? !isItem : isList) &&
            `has a path that is not the base path of ${shortName(target)}, so its items cannot be reached`;
      if (says === false) return [];
      return breach(subject, says, api.path);
    });
  },
};

export const pathRules = [callPathParameter, callBasePath, callItemPath];
