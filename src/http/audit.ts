import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { Principal } from '../oauth/verify.js';
import type { CallModel } from '../ontology/model.js';
import { Problem } from '../problem.js';
import { isRecordId } from '../records/identifiers.js';
import type { Match } from './routes.js';

/**
 * Runs a call, and leaves one structured line in the log when it is a write: who asked (app, user and the id of the
 * token), for what (call, record), and what came of it, refusals included. No content, no secret, no path.
 */
export async function auditWrites(
  log: Logger,
  context: Context,
  { iri, method }: CallModel,
  parameters: Match['parameters'],
  run: () => Promise<void>,
): Promise<void> {
  if (method === 'GET') return run();
  const record = parameters['record_id'] ?? '';
  const write = (status: number): void => {
    const principal = context.state['principal'] as Principal | undefined;
    const facts = {
      app: principal?.app,
      user: principal?.token?.user,
      token_id: principal?.token?.id,
      call: iri,
      // What is no record id is text of anybody.
      record: isRecordId(record) ? record : undefined,
    };
    log.info({ audit: 'write', ...facts, status, outcome: status < 400 ? 'done' : 'refused' }, 'audit');
  };
  try {
    await run();
  } catch (error) {
    write(error instanceof Problem ? error.status : 500);
    throw error;
  }
  write(context.status);
}
