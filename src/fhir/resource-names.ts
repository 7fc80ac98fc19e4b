import { resourceUrn } from '../rdf/vocabulary.js';

/** The part of a resource that identifies it. */
export interface ResourceName {
  readonly type: string;
  readonly id: string;
}

const idText = /^[A-Za-z0-9.-]{1,64}$/u;
const typedUrl = /(?:^|\/)([A-Z][A-Za-z]{1,63})\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/u;

/** Whether a text can be the id of a resource (FHIR R4, datatype id). */
export function isResourceId(text: unknown): text is string {
  return typeof text === 'string' && idText.test(text) && text !== '.' && text !== '..';
}

/** Returns type and id from the end of a resource's URL, or of the URL of one of its versions. */
export function typeAndId(url: string): ResourceName | undefined {
  const [, type, id] = typedUrl.exec(url) ?? [];
  return type === undefined || id === undefined ? undefined : { type, id };
}

/** Returns the server's URL from the URL of a resource. */
export function sourceOf(url: string | undefined): string | undefined {
  const at = url?.startsWith('http') ? typedUrl.exec(url)?.index : undefined;
  return at === undefined ? undefined : url?.slice(0, at);
}

/** Returns the name of a resource in FHIR: `Condition/c1`. */
export const nameOf = ({ type, id }: ResourceName): string => `${type}/${id}`;

export const resourceIri = (type: string, id: string): string => `${resourceUrn}${type}/${id}`;

/** Returns type and id from the IRI of a resource. */
export function partsOf(iri: string): { type: string; id: string } | undefined {
  if (!iri.startsWith(resourceUrn)) return undefined;
  const [type = '', id = ''] = iri.slice(resourceUrn.length).split('/');
  return { type, id };
}
