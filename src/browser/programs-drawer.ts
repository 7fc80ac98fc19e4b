import { copiedPrograms } from './copied-programs.js';
import { button, element, need } from './dom.js';

/** The query as a program of other tools, to be copied. @param address of the endpoint @param current throws a sentence where something is missing */
export function programsDrawer(address: string, current: () => string): void {
  const drawer = need('programs', HTMLDetailsElement);
  const list = need('programs-list', HTMLElement);
  const code = element('pre', { tabindex: '0', 'aria-label': 'Program' });
  const said = element('span', { class: 'quiet small', role: 'status' });
  let [chosen] = copiedPrograms;
  const buttons = copiedPrograms.map((program) =>
    button(program.name, () => {
      chosen = program;
      draw();
    }),
  );
  function draw(): void {
    for (const each of buttons) each.setAttribute('aria-pressed', String(each.textContent === chosen?.name));
    said.textContent = '';
    try {
      code.textContent = chosen?.write(address, current()) ?? '';
    } catch (error) {
      code.textContent = '';
      said.textContent = error instanceof Error ? error.message : 'It failed; try again.';
    }
  }
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(code.textContent ?? '');
      said.textContent = 'Copied.';
    } catch {
      // Over plain http, browsers leave the clipboard to people.
      getSelection()?.selectAllChildren(code);
      said.textContent = 'Selected; copy it with Ctrl+C.';
    }
  }
  list.append(
    element(
      'div',
      { class: 'toolbar' },
      ...buttons,
      button('Copy', () => void copy()),
      said,
    ),
    code,
    element(
      'p',
      { class: 'quiet small' },
      'Programs send a bearer token, which they find in CHARTGRAPH_TOKEN: ',
      // Relative to the page, which may stand below a path.
      element('a', { href: 'account/query-tokens' }, 'make one'),
      '.',
    ),
  );
  drawer.addEventListener('toggle', () => {
    if (drawer.open) draw();
  });
}
