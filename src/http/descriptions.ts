import { cacheControl, type Representation } from './answer.js';
import type { Route } from './request-context.js';
import { documentHeaders } from './security-headers.js';

/** A document made from the ontology and the settings alone, the same for everybody. */
export interface Description {
  /** Below the base URL. */
  readonly path: string;
  /** The forms in which it can be had, the default first. */
  readonly representations: readonly Omit<Representation, 'headers'>[];
  /** Of a page for people: the source of its style, as its content security policy names it. */
  readonly styleSource?: string;
  /** How long it may be kept; default: as long as all descriptions. */
  readonly cacheControl?: string;
}

/**
 * The routes of what the container says of itself: schemas, shapes, documentation. It holds nothing of any person.
 * @param state changes with everything that descriptions are made of beside ontology and queries
 */
export function descriptionRoutes(descriptions: readonly Description[], state: string): readonly Route[] {
  return descriptions.map((description) => {
    const { path } = description;
    const representations = representationsOf(description);
    return {
      method: 'GET',
      path,
      credentials: 'none',
      access: 'anybody',
      handler: () => ({
        kind: 'stored',
        cacheControl: description.cacheControl ?? cacheControl.shared,
        representations,
        key: path,
        state: () => state,
        exists: () => true,
        queue: 'descriptions',
        cached: true,
      }),
    };
  });
}

/** A description as it is sent. */
export function representationsOf({ representations, styleSource }: Description): readonly Representation[] {
  const headers = styleSource === undefined ? {} : { headers: documentHeaders(styleSource) };
  return representations.map((each) => ({ ...each, ...headers }));
}
