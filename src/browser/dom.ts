/** The element of the page with an id. @throws Error where the page has none */
export function need<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${id}`);
}

type Child = Node | string | undefined | false;

/** Makes an element. Texts stay texts: nothing that is given here is read as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** A button that does something of this page. */
export function button(
  text: string,
  onClick: () => void,
  attributes: Readonly<Record<string, string | boolean>> = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'second small', ...attributes }, text);
  made.addEventListener('click', onClick);
  return made;
}

/** A choice with its label. @param options values with what is shown of each */
export function choice(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
  onChange: (value: string) => void,
): HTMLElement {
  const select = element('select', { 'aria-label': label });
  for (const [value, text] of options) {
    select.append(element('option', { value, selected: value === chosen }, text));
  }
  select.addEventListener('change', () => onChange(select.value));
  return element('div', { class: 'choice' }, element('span', { 'aria-hidden': 'true' }, label), select);
}

/** Gives the browser a file to save. */
export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = element('a', { href: address, download: name });
  link.click();
  // The browser has taken it when this turn is over.
  setTimeout(() => URL.revokeObjectURL(address));
}
