import type { Middleware } from 'koa';
import { messagePage } from '../../pages/message-page.js';
import type { Problem } from '../../problem.js';
import type { ContainerContext } from '../container-context.js';
import { pathTable, type PathTable, type Visit } from '../path-table.js';
import { toProblem } from '../problem-document.js';
import { accountPages, startPage } from './account.js';
import { authorizePages } from './authorize.js';
import { launchPage } from './launch.js';
import { signIn, signOut } from './sign-in.js';
import { showPage, visitorOf } from './visitor.js';

/** The pages for people. None of their paths is a call's, and what they refuse is a page too. */
export function pages(container: ContainerContext): Middleware {
  const table: PathTable = {
    '/': startPage(container),
    '/login': signIn(container),
    '/logout': signOut(container),
    '/oauth/authorize': authorizePages(container),
    '/account/apps': accountPages(container),
    '/apps/*/launch': launchPage(container),
  };
  return pathTable(container.basePath, table, async (visit, answer) => {
    try {
      await answer();
    } catch (error) {
      await showProblem(container, visit, toProblem(error, container.log));
    }
  });
}

async function showProblem(container: ContainerContext, visit: Visit, problem: Problem): Promise<void> {
  const visitor = await visitorOf(container, visit);
  const message = { title: problem.title, sentences: [problem.message] };
  showPage(visit.context, visitor, messagePage(visitor.around, message), problem.status);
  visit.context.set(problem.headers);
}
