import { isObject } from '../rdf/json-object.js';
import {
  isResourceId,
  nameOf,
  partsOf,
  resourceIri,
  typeAndId,
  type FhirDocument,
  type FhirResource,
} from './fhir-resources.js';

const conditional = /^([A-Z][A-Za-z]{1,63})\?identifier=([^&]*)$/u;

/** How resources can be referred to other than by type and id. */
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

/** Where references lead (FHIR R4, "References between Resources"). */
export class References {
  readonly #lasting = new Names();
  #document = new Names();

  /** @param lasting types that are referred to from other documents than their own */
  constructor(private readonly lasting: ReadonlySet<string>) {}

  /** Looks at the resources of a document, before the references in it are asked for. */
  begin({ resources, older }: FhirDocument): void {
    this.#document = new Names();
    for (const resource of [...older, ...resources]) {
      this.#document.add(resource);
      if (this.lasting.has(resource.type)) this.#lasting.add(resource);
    }
  }

  /** Looks at a resource that comes later. */
  foresee(resource: FhirResource): void {
    if (this.lasting.has(resource.type)) this.#lasting.add(resource);
  }

  /**
   * The IRI of the resource that a Reference leads to: by URL, by type and id, within its resource (`#m1`),
   * by a search for an identifier (`Practitioner?identifier=system|value`), or by its identifier alone; undefined
   * when there is none, or none of that name is known.
   * @param from the resource that the reference stands in
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

/** What a Reference waits for that leads to nothing known: one of the names that the resource has when it comes. */
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

/** The names by which references can have waited for a resource. */
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

/** The text of a part of a URL; as it stands where it is not well formed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
