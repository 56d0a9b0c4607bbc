import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const CLIENT_ID = 'worksmith';
export const CLIENT_SECRET = 'a-client-secret-for-tests-only-0123456789';
/** Where providers send people back; nothing listens there. */
export const CALLBACK = 'http://127.0.0.1:9/callback';

/** What a provider sends back with the person. */
export interface Returned {
  state: string;
  code: string;
  iss?: string;
}

/** A certified provider that runs as a program of its own. */
export class OpenIdProvider {
  private constructor(
    private readonly child: ChildProcess,
    readonly issuer: string,
  ) {}

  /** Sends people back to that address; without a port, it takes a free one. */
  static async start(callback = CALLBACK, port = 0): Promise<OpenIdProvider> {
    const program = join(process.cwd(), 'test/support/certified-provider.mjs');
    const child = spawn(process.execPath, [program, callback, String(port)], { stdio: ['pipe', 'pipe', 'ignore'] });
    if (child.stdout === null) throw new Error('the provider has no output');
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('{')) return new OpenIdProvider(child, (JSON.parse(line) as { issuer: string }).issuer);
    }
    throw new Error('the provider did not start');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await ended;
  }

  /** Signs in on the pages of the provider, as a browser without scripts does, and returns what it sends back. */
  async signIn(authorizationUrl: string, name: string): Promise<Returned> {
    const browser = new Browser();
    let page = await browser.open(authorizationUrl);
    while (page.returned === undefined) {
      const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1];
      if (action === undefined || prompt === undefined) throw new Error(page.text.slice(0, 500));
      // The page that asks for consent ignores the name.
      const form = new URLSearchParams({ prompt, login: name, password: 'any' });
      page = await browser.open(new URL(action, page.url).href, form);
    }
    return page.returned;
  }
}

interface OpenedPage {
  url: string;
  text: string;
  returned?: Returned;
}

/** Follows redirects and keeps cookies. */
class Browser {
  private readonly cookies = new Map<string, string>();

  async open(address: string, form?: URLSearchParams): Promise<OpenedPage> {
    const response = await fetch(address, {
      method: form === undefined ? 'GET' : 'POST',
      body: form,
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    const text = await response.text();
    const location = response.headers.get('location');
    if (location === null) return { url: address, text };
    const next = new URL(location, address);
    if (!next.href.startsWith(CALLBACK)) return this.open(next.href);
    return { url: next.href, text, returned: Object.fromEntries(next.searchParams) as unknown as Returned };
  }

  private keep(cookie: string): void {
    const [pair] = cookie.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
