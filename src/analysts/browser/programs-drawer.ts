import { copiedPrograms } from './copied-programs.js';
import { button, element, need } from './dom.js';

/** Shows the query as a program to copy. @param current returns it, or throws an error for the user */
export function programsDrawer(address: string, current: () => string): void {
  const drawer = need('programs', HTMLDetailsElement);
  const list = need('programs-list', HTMLElement);
  const code = element('pre', { tabindex: '0', 'aria-label': 'Program' });
  const status = element('span', { class: 'quiet small', role: 'status' });
  let [chosen] = copiedPrograms;
  const buttons = copiedPrograms.map((program) =>
    button(program.name, () => {
      chosen = program;
      draw();
    }),
  );
  function draw(): void {
    for (const each of buttons) each.setAttribute('aria-pressed', String(each.textContent === chosen?.name));
    status.textContent = '';
    try {
      code.textContent = chosen?.write(address, current()) ?? '';
    } catch (error) {
      code.textContent = '';
      status.textContent = error instanceof Error ? error.message : 'It failed; try again.';
    }
  }
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(code.textContent ?? '');
      status.textContent = 'Copied.';
    } catch {
      // Over plain http, browsers do not allow scripts to use the clipboard.
      getSelection()?.selectAllChildren(code);
      status.textContent = 'Selected; copy it with Ctrl+C.';
    }
  }
  list.append(
    element(
      'div',
      { class: 'toolbar' },
      ...buttons,
      button('Copy', () => void copy()),
      status,
    ),
    code,
    element(
      'p',
      { class: 'quiet small' },
      'Programs send a bearer token, which they find in CHARTGRAPH_TOKEN: ',
      // Relative to the page, since the base URL may have a path.
      element('a', { href: 'account/query-tokens' }, 'make one'),
      '.',
    ),
  );
  drawer.addEventListener('toggle', () => {
    if (drawer.open) draw();
  });
}
