import { describe, expect, it } from 'vitest';
import { Admission } from '../../src/analysts/admission.js';

/** @returns lets a person in; resolves in the order in which queries may run */
function admission(running: number) {
  let ids = 0;
  const of = new Admission({ running, waiting: 16, perPerson: 2 }, () => `q${++ids}`);
  const enter = (user: string) =>
    of.enter({ user, level: 'full', purpose: 'a test' }, new AbortController().signal);
  const states = () => of.list().map(({ user, state }) => `${user} ${state}`);
  return { enter, states };
}

describe('admission of queries', () => {
  it('leaves one place for somebody else than who has long queries', async () => {
    const { enter, states } = admission(2);
    const first = await enter('ann');
    const second = enter('ann');
    expect(states()).toEqual(['ann running', 'ann waiting']);
    const other = await enter('ben');
    expect(states()).toEqual(['ann running', 'ann waiting', 'ben running']);
    other.leave();
    expect(states()).toEqual(['ann running', 'ann waiting']);
    first.leave();
    expect(states()).toEqual(['ann running']);
    (await second).leave();
    expect(states()).toEqual([]);
  });

  it('takes others in the order in which they came', async () => {
    const { enter, states } = admission(2);
    const running = [await enter('ann'), await enter('ben')];
    const waiting = ['ann', 'cleo', 'ben', 'dora'].map((user) => enter(user));
    expect(states().slice(2)).toEqual(['ann waiting', 'cleo waiting', 'ben waiting', 'dora waiting']);
    running[1]?.leave();
    // Ann has one running.
    expect(states()).toEqual(['ann running', 'ann waiting', 'cleo running', 'ben waiting', 'dora waiting']);
    running[0]?.leave();
    expect(states()).toEqual(['ann running', 'cleo running', 'ben waiting', 'dora waiting']);
    for (const each of waiting) (await each).leave();
    expect(states()).toEqual([]);
  });

  it('lets a person have the only place that there is', async () => {
    const { enter, states } = admission(1);
    await enter('ann');
    void enter('ben');
    expect(states()).toEqual(['ann running', 'ben waiting']);
  });
});
