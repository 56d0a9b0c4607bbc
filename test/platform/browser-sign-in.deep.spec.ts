import type { Page } from 'playwright-core';
import { missingBrowser, overflowOf, VirtualAuthenticator, visitedIn } from '../support/browser.js';
import { OpenIdProvider, CLIENT_ID, CLIENT_SECRET } from '../support/openid-provider.js';
import { totpOf } from '../support/second-factor.js';
import { enterPassword, ServedPages, signedInAs, type Account } from '../support/served-pages.js';
import { freePort } from '../support/service.js';
import { PASSWORD } from '../support/sign-up.js';
import { requiring } from '../support/production/requiring.js';

const describeIfInstalled = requiring(missingBrowser());

describeIfInstalled('in Chromium', () => {
  let served: ServedPages;

  beforeAll(async () => {
    served = await ServedPages.start({ IDENTITY_ALLOW: '127.0.0.0/8' });
  });
  afterAll(() => served.stop());
  // No script fails, no policy blocks anything, and nothing is loaded from elsewhere.
  afterEach(() => expect(served.browser.complaints).toEqual([]));

  const isSignedOut = (page: Page) => page.locator('#sign-in').isVisible();
  const problem = (page: Page) => page.locator('#sign-in-problem:not(:empty)').textContent();

  /** Opens an operation of the explorer, and returns its form and what is below it. */
  const operation = async (page: Page, tag: string, id: string) => {
    await page.goto(`${served.origin}/docs#/${tag}/${id}`);
    await page.reload();
    return page.locator(`.row[data-id="${id}"]`);
  };
  const sendBody = async (row: Awaited<ReturnType<typeof operation>>, body: object) => {
    await row.locator('textarea[aria-label=Body]').fill(JSON.stringify(body));
    await row.locator('button:not([type])', { hasText: 'Send' }).click();
  };
  const answered = (row: Awaited<ReturnType<typeof operation>>) => row.locator('.response p strong').textContent();

  it('the explorer signs in with a password, in a phone as well, and out', async () => {
    const ann = await served.account();
    for (const width of [1280, 390]) {
      const page = await served.open('/docs', { width });
      await enterPassword(page, ann.email, 'three wooden ladders');
      expect(await problem(page)).toBe('The e-mail address or password is wrong.');
      await enterPassword(page, ann.email);
      expect(await signedInAs(page)).toBe(ann.email);
      expect(await overflowOf(page)).toBe(0);
      await page.reload();
      expect(await signedInAs(page)).toBe(ann.email);
      await page.click('#signed-in button');
      await page.waitForSelector('#sign-in', { state: 'visible' });
      await page.context().close();
    }
  });

  it('the explorer opens what a link names, in a group of two words as well, and after it has loaded', async () => {
    const page = await served.open('/docs#/Time%20entries/time_entries_list');
    const opened = (id: string) => page.locator(`.row[open][data-id=${id}]`, { hasText: 'Send' }).waitFor();
    await opened('time_entries_list');
    await page.evaluate(`location.hash = '#/Tasks/tasks_list'`);
    await opened('tasks_list');
    await page.locator('.row[data-id=time_entries_create] summary').first().click();
    await opened('time_entries_create');
    expect(page.url()).toBe(`${served.origin}/docs#/Time%20entries/time_entries_create`);
    await page.context().close();
  });

  it('the explorer makes a passkey, and signs in with it without a name', async () => {
    const ann = await served.account();
    const page = await served.open('/docs');
    const device = await VirtualAuthenticator.in(page);
    await enterPassword(page, ann.email);
    await signedInAs(page);
    const row = await operation(page, 'Auth', 'auth_passkeys_create');
    await row.locator('button', { hasText: 'Make a passkey' }).click();
    await page.waitForFunction(`document.querySelector('[aria-label=Body]').value.includes('attestationObject')`);
    await row.locator('button', { hasText: 'Send' }).click();
    expect(await answered(row)).toMatch(/^201/);
    expect(await device.count()).toBe(1);

    await page.click('#signed-in button');
    const login = page.waitForResponse(/passkeys\/login$/);
    await page.click('#sign-in button[type=button]');
    const sent = (await login).request().postDataJSON() as object;
    expect(await signedInAs(page)).toBe(ann.email);

    // What was sent works once, also for those who have read it.
    const replayed = await served.send('POST', '/auth/passkeys/login', sent, '');
    expect([replayed.status, replayed.body.error.code]).toEqual([401, 'invalid_credentials']);

    await page.click('#signed-in button');
    await device.recognizes(false);
    const given = page.waitForResponse(/passkeys\/login\/options$/);
    await page.click('#sign-in button[type=button]');
    await given;
    await device.recognizes(true);
    expect(await isSignedOut(page)).toBe(true);
    await page.context().close();
  });

  it('a passkey of another page is of no use', async () => {
    const page = await served.open('/docs');
    await VirtualAuthenticator.in(page);
    await page.goto(served.origin.replace('localhost', '127.0.0.1') + '/docs');
    await page.click('#sign-in button[type=button]');
    expect(await problem(page)).toMatch(/invalid domain/);
    await page.context().close();
  });

  const enableSecondFactor = async ({ token }: Account): Promise<{ secret: string; codes: string[] }> => {
    const { body: setup } = await served.send('POST', '/auth/totp/setup', undefined, token);
    const { secret } = setup.data;
    const { body } = await served.send('POST', '/auth/totp/enable', { code: totpOf(secret) }, token);
    return { secret, codes: body.data.recovery_codes };
  };

  it('the explorer asks for the code of an app after the password', async () => {
    const ann = await served.account();
    const { secret } = await enableSecondFactor(ann);
    const page = await served.open('/docs', { width: 390 });
    await enterPassword(page, ann.email);
    await page.waitForSelector('#second-factor', { state: 'visible' });
    expect([await isSignedOut(page), await overflowOf(page)]).toEqual([false, 0]);
    await page.fill('#second-factor [name=code]', '000000');
    await page.click('#second-factor button[type=submit]');
    expect(await problem(page)).toMatch(/^The code is wrong/);
    await page.fill('#second-factor [name=code]', totpOf(secret, 1));
    await page.click('#second-factor button[type=submit]');
    expect(await signedInAs(page)).toBe(ann.email);
    await page.context().close();
  });

  describe('an operation that asks for a proof', () => {
    const TOKEN = { name: 'Robot', scopes: ['tasks:read'] };

    const refused = async (ann: Account, page: Page) => {
      await served.age(ann);
      const row = await operation(page, 'Auth', 'auth_tokens_create');
      await sendBody(row, TOKEN);
      expect(await answered(row)).toMatch(/^403/);
      return row;
    };

    it('takes the password, and is sent again', async () => {
      const ann = await served.account();
      const page = await served.open('/docs', { width: 390 });
      await enterPassword(page, ann.email);
      await signedInAs(page);
      const row = await refused(ann, page);
      const proof = row.locator('.proof');
      await proof.locator('[name=proof]').fill('three wooden ladders');
      await proof.locator('button', { hasText: 'Confirm' }).click();
      expect(await proof.locator('.bad:not(:empty)').textContent()).toMatch(/wrong/);
      expect(await overflowOf(page)).toBe(0);
      await proof.locator('[name=proof]').fill(PASSWORD);
      await proof.locator('button', { hasText: 'Confirm' }).click();
      await row.locator('.response.good').waitFor();
      expect(await answered(row)).toMatch(/^201/);
      await page.context().close();
    });

    it('takes a code or a passkey, but no password, where there is a second factor', async () => {
      const ann = await served.account();
      const { secret, codes } = await enableSecondFactor(ann);
      const page = await served.open('/docs');
      const device = await VirtualAuthenticator.in(page);
      await enterPassword(page, ann.email);
      await page.fill('#second-factor [name=code]', totpOf(secret, 1));
      await page.click('#second-factor button[type=submit]');
      await signedInAs(page);
      const row = await refused(ann, page);
      expect(await row.locator('.proof input').getAttribute('type')).toBe('text');
      await row.locator('.proof [name=proof]').fill(codes[0]);
      await row.locator('.proof button', { hasText: 'Confirm' }).click();
      await row.locator('.response.good').waitFor();

      const adding = await operation(page, 'Auth', 'auth_passkeys_create');
      await adding.locator('button', { hasText: 'Make a passkey' }).click();
      await page.waitForFunction(`document.querySelector('[aria-label=Body]').value.includes('attestationObject')`);
      await adding.locator('button', { hasText: 'Send' }).click();
      await adding.locator('.response.good').waitFor();
      expect(await device.count()).toBe(1);
      const again = await refused(ann, page);
      await again.locator('.proof button', { hasText: 'Passkey' }).click();
      await again.locator('.response.good').waitFor();
      await page.context().close();
    });
  });

  describe('single sign-on', () => {
    let directory: OpenIdProvider;
    let provider: string;
    let callback: string;

    beforeAll(async () => {
      const port = await freePort();
      const { body } = await served.send('POST', '/identity-providers', {
        name: 'Company',
        issuer: `http://127.0.0.1:${port}`,
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        domains: ['company.test'],
        jit: true,
      });
      provider = body.data.id;
      callback = `${served.origin}/auth/callback/${provider}`;
      directory = await OpenIdProvider.start(callback, port);
    });
    afterAll(() => directory.stop());

    /** Signs in on the pages of the provider, and returns the address at which it sends the person back. */
    const enter = async (page: Page, name: string): Promise<string> => {
      await page.fill('#sign-in [name=email]', `${name}@company.test`);
      await page.locator('#providers button', { hasText: 'Company' }).click();
      await page.fill('[name=login]', name);
      await page.fill('[name=password]', 'any');
      await page.click('button[type=submit]');
      const returned = page.waitForRequest((request) => request.url().startsWith(callback));
      await page.click('button[type=submit]');
      return (await returned).url();
    };

    it('comes back to where it began, and leaves no code behind', async () => {
      const page = await served.open('/docs#/Tasks/tasks_list');
      const returned = new URL(await enter(page, 'grace'));
      expect(await signedInAs(page)).toBe('grace@company.test');
      expect(page.url()).toBe(`${served.origin}/docs#/Tasks/tasks_list`);
      const code = returned.searchParams.get('code') ?? '';
      expect(code).not.toBe('');
      const left = await page.evaluate<string>(
        'JSON.stringify([location.href, document.referrer, { ...sessionStorage }])',
      );
      expect(left).not.toContain(code);
      expect((await visitedIn(page)).filter((address) => address.includes(code))).toEqual([]);
      await page.context().close();
    });

    it('asks for the code of an app, without the form for a password beside it', async () => {
      const first = await served.open('/docs');
      await enter(first, 'hedy');
      await signedInAs(first);
      const token = await first.evaluate<string>(`sessionStorage.getItem('worksmith-token')`);
      const { codes } = await enableSecondFactor({ id: '', email: '', token });
      await first.context().close();
      const page = await served.open('/docs');
      await enter(page, 'hedy');
      await page.waitForSelector('#second-factor', { state: 'visible' });
      expect(await isSignedOut(page)).toBe(false);
      await page.fill('#second-factor [name=code]', codes[0]);
      await page.click('#second-factor button[type=submit]');
      expect(await signedInAs(page)).toBe('hedy@company.test');
      await page.context().close();
    });

    it('finishes only what this tab has begun: a link of a stranger signs nobody in', async () => {
      const stranger = await served.open('/docs');
      // The answer of the provider does not reach the page of the stranger, who sends it to somebody else.
      await stranger.route(`${callback}**`, (route) => route.fulfill({ body: 'kept' }));
      const link = await enter(stranger, 'mallory');
      const page = await served.open('/docs');
      const sent: string[] = [];
      page.on('request', (request) => void sent.push(new URL(request.url()).pathname));
      // A sign-in that the tab has begun elsewhere does not count.
      await page.evaluate(`sessionStorage.setItem('worksmith-sign-in-idp_0', 'another')`);
      await page.goto(link);
      const said = await page.locator('#state', { hasText: 'not begun here' }).textContent();
      expect(said).toBe('This sign-in was not begun here. Begin again.');
      expect(sent.filter((path) => path.endsWith('/finish'))).toEqual([]);
      expect(page.url()).toBe(callback);
      const code = new URL(link).searchParams.get('code') ?? '';
      expect(await page.content()).not.toContain(code);
      await page.click('a');
      await page.waitForSelector('#sign-in', { state: 'visible' });
      await Promise.all([page.context().close(), stranger.context().close()]);
    });

    it('says what is wrong if the provider has not signed the person in', async () => {
      const page = await served.open('/docs');
      await page.evaluate(`sessionStorage.setItem('worksmith-sign-in-${provider}', 'a-flow')`);
      await page.goto(`${callback}?error=access_denied&error_description=<img src=x>`);
      await page.locator('#state', { hasText: 'has not signed you in' }).waitFor();
      await page.evaluate(`sessionStorage.setItem('worksmith-sign-in-${provider}', 'a-flow')`);
      await page.goto(`${callback}?code=a-secret-code&state=x`);
      await page.locator('#state', { hasText: 'did not confirm' }).waitFor();
      expect(await page.content()).not.toContain('a-secret-code');
      await page.context().close();
    });
  });
});
