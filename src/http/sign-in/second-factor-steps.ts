import type { Flow } from '../../access/oauth/flow.js';
import {
  beginSecondFactorPage,
  confirmSecondFactorPage,
  recoveryCodesPage,
  removeSecondFactorPage,
} from '../html/second-factor-page.js';
import type { Page } from '../html/layout.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { readFields, type Fields } from './page-request.js';
import { localPath } from './destination.js';
import { pageAnswer, redirect } from './page-answer.js';
import type { PageMethods, PageRequest } from './page-request.js';
import { provePassword, tooMany, tryOf } from './sign-in.js';
import { signedInForm, signInFirst } from './page-request.js';

type Step = (request: PageRequest, user: string, fields: Fields) => Promise<PlainAnswer>;

const WRONG = 'The code is wrong, or it was used already.';

/** `/account/security/second-factor`: sets up a second factor in two steps, or removes it. */
export function secondFactorPages(site: Site, flow: Flow): PageMethods {
  const { secondFactors, limits } = flow.grants;
  const overview = `${site.basePath}/account/security`;
  const formPath = `${overview}/second-factor`;
  const returnUrlOf = (fields: Fields): string => localPath(fields.get('return_url') ?? overview, site.base);

  const first = ({ visitor }: PageRequest, user: string, fields: Fields): PlainAnswer => {
    const step = { returnUrl: returnUrlOf(fields), isDemanded: visitor.mustEnrol };
    const page = secondFactors.has(user) ? removeSecondFactorPage : beginSecondFactorPage;
    return pageAnswer(visitor.page, page(visitor.page, step));
  };
  const wrong = (request: PageRequest, page: Page): PlainAnswer =>
    pageAnswer(request.visitor.page, page, { status: 403 });

  /** An existing second factor must be removed first, with a code. */
  const settingUp =
    (step: Step): Step =>
    (request, user, fields) =>
      secondFactors.has(user) ? Promise.resolve(redirect(formPath, 303)) : step(request, user, fields);

  const steps: Readonly<Record<string, Step>> = {
    begin: settingUp(async (request, user, fields) => {
      const { page, mustEnrol } = request.visitor;
      const refused = await provePassword(site, flow, request, user, fields.get('current') ?? '');
      if (refused) {
        const step = { returnUrl: returnUrlOf(fields), isDemanded: mustEnrol, problem: refused.problem };
        return pageAnswer(page, beginSecondFactorPage(page, step), refused);
      }
      const given = await secondFactors.enrol(user, site.name);
      return pageAnswer(page, confirmSecondFactorPage(page, { returnUrl: returnUrlOf(fields) }, given));
    }),
    confirm: settingUp(async (request, user, fields) => {
      const { page } = request.visitor;
      const returnUrl = returnUrlOf(fields);
      const counted = tryOf(request.context, site, user);
      const wait = await tooMany(flow, counted);
      if (wait) return pageAnswer(page, confirmSecondFactorPage(page, { returnUrl, ...wait }), wait);
      const codes = await secondFactors.confirm(user, fields.get('code') ?? '');
      if (!codes) return wrong(request, confirmSecondFactorPage(page, { returnUrl, problem: WRONG }));
      await limits.succeeded(...counted);
      flow.audit('second-factor.set-up', { user });
      return pageAnswer(page, recoveryCodesPage(codes, returnUrl));
    }),
    remove: async (request, user, fields) => {
      const { page } = request.visitor;
      const returnUrl = returnUrlOf(fields);
      const counted = tryOf(request.context, site, user);
      const wait = await tooMany(flow, counted);
      if (wait) return pageAnswer(page, removeSecondFactorPage(page, { returnUrl, ...wait }), wait);
      if ((await secondFactors.verify(user, fields.get('code') ?? '')) === undefined) {
        flow.audit('second-factor.refused', { user });
        return wrong(request, removeSecondFactorPage(page, { returnUrl, problem: WRONG }));
      }
      await limits.succeeded(...counted);
      await secondFactors.remove(user);
      flow.audit('second-factor.removed', { user });
      return redirect(`${overview}?done=second-factor`, 303);
    },
  };

  return {
    GET: (request) => {
      const { visitor, target } = request;
      return visitor.user
        ? first(request, visitor.user.id, readFields(target.query))
        : signInFirst(site, formPath);
    },
    POST: signedInForm(site, formPath, (request, user, fields) => {
      const step = steps[fields.get('step') ?? ''];
      return step ? step(request, user.id, fields) : first(request, user.id, fields);
    }),
  };
}
