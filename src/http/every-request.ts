import type { Context, Middleware } from 'koa';
import type { CrossOrigin } from './cors.js';
import type { RecordAccess } from './record-access.js';

/** What is done for every request, whatever its route. */
export interface EveryRequest {
  readonly secure: boolean;
  /** Finds the address of the client. */
  findClient(context: Context): void;
  /** Begins the line of the log. @returns what ends it */
  log(context: Context): () => void;
  readonly crossOrigin: CrossOrigin;
  /** Makes a response of an error. */
  respondProblem(context: Context, error: unknown): void;
  readonly recordAccess: RecordAccess;
  /** Finds the route of a request, and takes the road behind it. @throws Problem */
  route(context: Context): Promise<void>;
}

/**
 * What stands before the routes and after the answers. It is one function and no chain of middleware: each link of one
 * costs an answer from the cache about a hundredth of its time.
 */
export function everyRequest(steps: EveryRequest): Middleware {
  const { secure, crossOrigin, respondProblem, recordAccess, route } = steps;
  return async (context) => {
    steps.findClient(context);
    const endLog = steps.log(context);
    // No browser guesses another media type than the one that is said.
    context.set('X-Content-Type-Options', 'nosniff');
    // Over https no browser tries http again for a year (RFC 6797).
    if (secure) context.set('Strict-Transport-Security', 'max-age=31536000');
    if (!crossOrigin.preflight(context)) {
      try {
        try {
          await route(context);
        } catch (error) {
          await recordAccess(context, error);
          throw error;
        }
        await recordAccess(context);
      } catch (error) {
        respondProblem(context, error);
      }
    }
    crossOrigin.allow(context);
    endLog();
  };
}
