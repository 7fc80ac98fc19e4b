/** A page as the plain browser got it. */
export interface PlainPage {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  text(): Promise<string>;
}

/** A browser without a screen: keeps cookies, reads forms, follows nothing by itself. */
export class PlainBrowser {
  readonly cookies = new Map<string, string>();
  /** Go with every request. */
  readonly headers = new Map<string, string>();

  constructor(readonly base: string) {}

  /** Opens a path below the base URL. */
  open(path: string, init: RequestInit = {}): Promise<PlainPage> {
    return this.#fetch(new URL(path, this.base).href, init);
  }

  /** Sends the form of a page (the last one unless named by its action) with some fields changed; undefined ones are left out. */
  submit(
    page: PlainPage,
    fields: Readonly<Record<string, string | undefined>> = {},
    action?: string,
  ): Promise<PlainPage> {
    const forms = [
      ...page.html.matchAll(/<form[^>]*\bmethod="post"[^>]*\baction="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g),
    ];
    const form = forms.filter(([, to]) => action === undefined || to?.endsWith(action)).at(-1);
    if (!form)
      throw new Error(
        `the page has no such form: ${page.status} ${page.html.replace(/<style[\s\S]*<\/style>/, '')}`,
      );
    const hidden = [
      ...(form[2] ?? '').matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g),
    ];
    const all: Record<string, string | undefined> = {
      ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescape(value)])),
      ...fields,
    };
    const given = Object.entries(all).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    return this.#fetch(new URL(form[1] ?? '', this.base).href, {
      method: 'POST',
      body: new URLSearchParams(given),
    });
  }

  /** Signs in by the form. */
  async signIn(username: string, password: string, returnUrl = ''): Promise<PlainPage> {
    const page = await this.open(
      `/login${returnUrl === '' ? '' : `?return_url=${encodeURIComponent(returnUrl)}`}`,
    );
    return this.submit(page, { username, password }, '/login');
  }

  async #fetch(url: string, init: RequestInit): Promise<PlainPage> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    for (const [name, value] of this.headers) headers.set(name, value);
    if (cookie !== '') headers.set('Cookie', cookie);
    const response = await fetch(url, { ...init, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*Max-Age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const html = await response.text();
    return {
      url,
      status: response.status,
      headers: response.headers,
      html,
      text: () => Promise.resolve(html),
    };
  }
}

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
