import { createHash } from 'node:crypto';
import { linkRules } from '../ontology/model.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import type { AllowedCall } from './calls.js';
import type { ContainerContext } from './container-context.js';

/**
 * A strong entity tag (RFC 9110 §8.8.3) that changes with everything an answer depends on: the epoch of the
 * data directory, ontology and queries, the request's own parameters, its media type, and the revisions of
 * what the call reads. It is made before the query runs, so that a match needs no query.
 * @param variant the media type and coding of the answer
 */
export async function entityTag(
  container: ContainerContext,
  request: AllowedCall,
  variant: string,
): Promise<string> {
  const { store, ontology, digest } = container;
  const scopes = revisionScopes(ontology, request.call, request.path);
  const revisions = await Promise.all(scopes.map((scope) => store.revision(scope)));
  const parameters = [...request.query.declared].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [
    container.epoch(),
    digest,
    container.base,
    request.resource,
    parameters,
    variant,
    scopes,
    revisions,
  ];
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
}

/**
 * The paths whose revisions tell whether an answer has changed: where the target class and the classes it
 * links to lie, as far as the request fixes them. A wider path is never wrong, only less sharp.
 */
function revisionScopes(
  ontology: Ontology,
  call: CallModel,
  path: Readonly<Record<string, string>>,
): string[] {
  const target = ontology.classes.get(call.target);
  const linked = target ? linkRules(ontology, target).flatMap(({ classes }) => classes) : [];
  const templates = [
    target?.basePath ?? call.path,
    ...linked.map((iri) => ontology.classes.get(iri)?.basePath ?? ''),
  ];
  return [...new Set(['/ontology', ...templates.map((template) => fixedPart(template, path))])];
}

/** `/records/{record_id}/medications/{medication_id}` up to the first parameter that the request leaves open. */
function fixedPart(template: string, path: Readonly<Record<string, string>>): string {
  const kept: string[] = [];
  for (const segment of template.split('/').slice(1)) {
    const parameter = /^\{(.+)\}$/.exec(segment)?.[1];
    const value = parameter === undefined ? segment : path[parameter];
    if (value === undefined || value === '') break;
    kept.push(value);
  }
  return kept.map((segment) => `/${segment}`).join('');
}
