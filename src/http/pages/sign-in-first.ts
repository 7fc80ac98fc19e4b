import { withParameters } from '../../oauth/flow/callback.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { redirect } from './page-answer.js';

/** Sends a browser in which nobody is signed in to the sign-in page, and back afterwards. @param here path of this container */
export function signInFirst(
  { basePath }: Pick<Site, 'basePath'>,
  here: string,
  status: 302 | 303 = 302,
): PlainAnswer {
  return redirect(withParameters(`${basePath}/login`, { return_url: here }), status);
}
