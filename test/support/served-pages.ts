import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { RealBrowser, type Looks } from './browser.js';
import { cloneDatabase, dropDatabase, TestDatabase, type TestConnection } from './database.js';
import { freePort, openTunnel, ServiceProcess } from './service.js';
import { PASSWORD } from './sign-up.js';

const ADMINISTRATOR = { email: 'ada@example.test', password: 'a river of quiet lamps' };

/** Somebody who can sign in with `PASSWORD`, and a session of theirs. */
export interface Account {
  id: string;
  email: string;
  token: string;
}

interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the test says what it expects of a response
  body: any;
}

/** The service as users run it, on `localhost`, with a browser that opens its pages. */
export class ServedPages {
  private administrator = '';

  private constructor(
    readonly origin: string,
    readonly browser: RealBrowser,
    readonly database: TestDatabase,
    private readonly service: ServiceProcess,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<ServedPages> {
    const connection = await cloneDatabase();
    const tunnel = await openTunnel(connection);
    const folder = mkdtempSync(join(tmpdir(), 'worksmith-pages-'));
    chmodSync(folder, 0o755);
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const service = new ServiceProcess({
      DATABASE_URL: urlOf(connection, tunnel.port),
      DATA_DIR: folder,
      PORT: String(port),
      MAIL: 'files',
      JWT_SECRET: 'k3y-f0r-the-tests-of-pages-0123456789',
      PEPPER: 'p3pper-f0r-the-tests-of-pages-0123456789',
      ADMIN_EMAIL: ADMINISTRATOR.email,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      LIMIT_LOGIN_PER_MINUTE: '10000',
      ...settings,
    });
    await service.says('"msg":"listening');
    const database = new TestDatabase(connection);
    const pages = new ServedPages(origin, await RealBrowser.launch(origin), database, service, async () => {
      tunnel.close();
      await dropDatabase(connection);
      rmSync(folder, { recursive: true, force: true });
    });
    pages.administrator = await pages.tokenOf(ADMINISTRATOR);
    return pages;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.service.signal('SIGTERM');
    await this.service.exit();
    await this.database.close();
    await this.end();
  }

  /** Sends a request to the interface, without a page. */
  async send(method: string, path: string, body?: object, token = this.administrator): Promise<Answer> {
    const response = await fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  /** A new account with a password. */
  async account(name = 'Ann'): Promise<Account> {
    const email = `${name.toLowerCase()}.${randomBytes(4).toString('hex')}@example.test`;
    const { body } = await this.send('POST', '/users', { name, email, password: PASSWORD });
    return { id: body.data.id, email, token: await this.tokenOf({ email, password: PASSWORD }) };
  }

  private async tokenOf(credentials: { email: string; password: string }): Promise<string> {
    const { status, body } = await this.send('POST', '/auth/login', credentials, '');
    if (status !== 200) throw new Error(`no sign-in: ${JSON.stringify(body)}`);
    return body.data.token;
  }

  /** Lets all proofs be an hour old. */
  async age({ id }: Account): Promise<void> {
    const old = `now() - interval '1 hour'`;
    await this.database.query(`UPDATE sessions SET created_at = ${old}, proved_at = ${old} WHERE user_id = $1`, [id]);
  }

  /** Opens a page of the service. */
  async open(path: string, looks: Looks = {}): Promise<Page> {
    const page = await this.browser.open(looks);
    await page.goto(this.origin + path);
    return page;
  }
}

const urlOf = ({ user, password = '', database }: TestConnection, port: number): string =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

/** Signs in with a password, in the form at the top of a page of the service. */
export async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.fill('#sign-in [name=email]', email);
  await page.fill('#sign-in [name=password]', password);
  await page.click('#sign-in button:not([type])');
}

/** The address of the account that the page shows as signed in. */
export async function signedInAs(page: Page): Promise<string | undefined> {
  const shown = page.locator('#signed-in span', { hasText: '@' });
  // The text of a former sign-in stays in the page, hidden.
  await shown.waitFor();
  return /\((.+)\)/.exec((await shown.textContent()) ?? '')?.[1];
}
