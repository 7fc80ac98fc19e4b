/** Returns the element with an id. @throws Error if there is none of this type */
export function need<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${id}`);
}

type Child = Node | string | undefined | false;

/** Makes an element. Texts are never parsed as markup. */
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

export function button(
  text: string,
  onClick: () => void,
  attributes: Readonly<Record<string, string | boolean>> = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'second small', ...attributes }, text);
  made.addEventListener('click', onClick);
  return made;
}

/** Makes a labelled select. @param options values with their texts */
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

/** Offers a file for download. */
export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = element('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
