// A browser of somebody who is signed in, without a screen.

/** Signs in by the form of the container. @returns what opens a path, to the end of its page */
export async function signedIn(url, username, password) {
  const cookies = new Map();
  const open = async (path, init = {}) => {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url + path, { ...init, redirect: 'manual', headers: { Cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    return { status: answer.status, html: await answer.text() };
  };
  const { html } = await open('/login');
  const [, csrf] = /name="csrf" value="([^"]*)"/.exec(html);
  const body = new URLSearchParams({ csrf, username, password, return_url: '/' });
  const { status } = await open('/login', { method: 'POST', body });
  if (status !== 302 && status !== 303) throw new Error(`signing in was answered with ${status}`);
  return async (path) => {
    const page = await open(path);
    if (page.status !== 200) throw new Error(`${path} was answered with ${page.status}`);
    return page.html;
  };
}
