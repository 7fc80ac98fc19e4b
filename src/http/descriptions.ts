import { cacheControl, type Content, type Representation } from './answer.js';
import { documentHeaders } from './content-security-policy.js';
import type { Route } from './request-context.js';

export interface DescribedForm extends Representation {
  make(): Promise<Content>;
}

/** A document made only from the ontology and the settings, the same for everybody. */
export interface Description {
  readonly path: string;
  readonly representations: readonly Omit<DescribedForm, 'headers'>[];
  /** For HTML pages: the source of the style, as in the content security policy. */
  readonly styleSource?: string;
  readonly cacheControl?: string;
}

/** Makes the routes of descriptions. @param state changes with all that they contain beside ontology and queries */
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
        // Made outside the queue: the first one may take seconds, and would keep every query waiting.
        read: (chosen) => Promise.resolve(() => (chosen as DescribedForm).make()),
        key: path,
        state: () => state,
        exists: () => true,
        queue: 'descriptions',
        cached: true,
      }),
    };
  });
}

export function representationsOf({ representations, styleSource }: Description): readonly DescribedForm[] {
  const headers = styleSource === undefined ? {} : { headers: documentHeaders(styleSource) };
  return representations.map((each) => ({ ...each, ...headers }));
}
