/** What browsers show beside the name of a page: a chart whose points are the nodes of a graph. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6671"/><g fill="#fff" stroke="#fff" stroke-width="2.5" stroke-linecap="round"><path d="M7 21l6-8 6 6 6-10" fill="none"/><circle cx="7" cy="21" r="2"/><circle cx="13" cy="13" r="2"/><circle cx="19" cy="19" r="2"/><circle cx="25" cy="9" r="2"/></g></svg>`;

/** Where it is: a browser asks for it here where it shows what is no page and names none, such as JSON. */
export const ICON_PATH = '/favicon.ico';
