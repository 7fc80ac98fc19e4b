import { isObject } from '../rdf/json-object.js';
import type { FhirDocument, FhirResource } from './fhir-resources.js';
import { isResourceId, nameOf, partsOf, resourceIri, typeAndId } from './resource-names.js';

const conditional = /^([A-Z][A-Za-z]{1,63})\?identifier=([^&]*)$/u;

/** Ways to refer to resources other than by type and id. */
class Names {
  readonly #byUrl = new Map<string, string>();
  readonly #byIdentifier = new Map<string, string>();

  add({ type, iri, fullUrl, value }: FhirResource): void {
    if (fullUrl !== undefined) this.#byUrl.set(fullUrl, iri);
    const { identifier } = value;
    for (const each of Array.isArray(identifier) ? (identifier as unknown[]) : []) {
      const key = identifierKey(type, each);
      if (key !== undefined) this.#byIdentifier.set(key, iri);
    }
  }

  url(url: string): string | undefined {
    return this.#byUrl.get(url);
  }

  identifier(key: string): string | undefined {
    return this.#byIdentifier.get(key);
  }
}

/** Resolves references (FHIR R4, "References between Resources"). */
export class References {
  readonly #lasting = new Names();
  #document = new Names();

  /** @param lasting types that other documents refer to */
  constructor(private readonly lasting: ReadonlySet<string>) {}

  /** Reads the resources of a document, before its references are resolved. */
  begin({ resources, older }: FhirDocument): void {
    this.#document = new Names();
    for (const resource of [...older, ...resources]) {
      this.#document.add(resource);
      if (this.lasting.has(resource.type)) this.#lasting.add(resource);
    }
  }

  /** Reads a resource that comes later. */
  foresee(resource: FhirResource): void {
    if (this.lasting.has(resource.type)) this.#lasting.add(resource);
  }

  /**
   * Returns the IRI of a Reference's target: by URL, by type and id, within its resource (`#m1`),
   * by a search for an identifier (`Practitioner?identifier=system|value`), or by its identifier alone; undefined
   * if there is none, or none of that name is known.
   * @param from the resource with the reference
   */
  target(reference: Readonly<Record<string, unknown>>, from: string): string | undefined {
    const { reference: stated, url: location, type, identifier } = reference;
    const text = stated ?? location;
    if (typeof text !== 'string') {
      const key = typeof type === 'string' ? identifierKey(type, identifier) : undefined;
      return key === undefined ? undefined : this.#identified(key);
    }
    if (text.startsWith('#')) return isResourceId(text.slice(1)) ? `${from}${text}` : undefined;
    const url = this.#document.url(text) ?? this.#lasting.url(text);
    if (url !== undefined) return url;
    const [, searched, query] = conditional.exec(text) ?? [];
    if (searched !== undefined && query !== undefined)
      return this.#identified(`${searched} ${decoded(query)}`);
    const named = typeAndId(text);
    return named && resourceIri(named.type, named.id);
  }

  #identified(key: string): string | undefined {
    return this.#document.identifier(key) ?? this.#lasting.identifier(key);
  }
}

/** Returns the name that an unresolved Reference waits for: one of its target's names when that comes. */
export function awaited(
  { reference, url, type, identifier }: Readonly<Record<string, unknown>>,
  target: string | undefined,
): string | undefined {
  const known = target === undefined ? undefined : partsOf(target);
  if (known) return nameOf(known);
  const [, searched, query] = conditional.exec(String(reference ?? url)) ?? [];
  if (searched !== undefined && query !== undefined) return `${searched} ${decoded(query)}`;
  return typeof type === 'string' ? identifierKey(type, identifier) : undefined;
}

/** Returns the names by which references may wait for a resource. */
export function namesAwaited({ type, id, value: { identifier } }: FhirResource): string[] {
  const keys = (Array.isArray(identifier) ? (identifier as unknown[]) : []).map((each) =>
    identifierKey(type, each),
  );
  return [nameOf({ type, id }), ...keys.filter((key) => key !== undefined)];
}

function identifierKey(type: string, identifier: unknown): string | undefined {
  if (!isObject(identifier)) return undefined;
  const { system, value } = identifier;
  if (typeof value !== 'string') return undefined;
  return `${type} ${typeof system === 'string' ? system : ''}|${value}`;
}

/** Decodes a part of a URL; unchanged if it is malformed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
