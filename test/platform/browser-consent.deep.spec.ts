import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { TEXTS } from '../../explorer/consent-texts.js';
import { missingBrowser, overflowOf } from '../support/browser.js';
import { enterPassword, ServedPages, signedInAs, type Account } from '../support/served-pages.js';
import { requiring } from '../support/production/requiring.js';

const describeIfInstalled = requiring(missingBrowser());

const LOCALES = { en: 'en-GB', de: 'de-AT', fr: 'fr-FR', es: 'es-MX' } as const;
const LOOKS = Object.entries(LOCALES).flatMap(([language, locale]) =>
  [1280, 390].map((width) => ({ language: language as keyof typeof LOCALES, locale, width })),
);
const SCOPES = ['users', 'organizations', 'endeavours', 'tasks', 'resources', 'dod'].flatMap((area) => [
  `${area}:read`,
  `${area}:write`,
]);
const LONG_NAME =
  'Arbeitsgemeinschaft der Donaudampfschifffahrtsgesellschaften und verwandter Betriebe im Dreiländereck';

describeIfInstalled('in Chromium, a program', () => {
  let served: ServedPages;
  let ann: Account;
  /** Waits for the answers to a program on this machine. */
  let listener: Server;

  beforeAll(async () => {
    served = await ServedPages.start();
    ann = await served.account();
    await served.send('POST', '/organizations', { name: LONG_NAME }, ann.token);
    listener = createServer((_request, response) => void response.end('Back in the program.')).listen(0, '127.0.0.1');
    await once(listener, 'listening');
  });
  afterAll(async () => {
    listener.closeAllConnections();
    listener.close();
    await served.stop();
  });
  afterEach(() => expect(served.browser.complaints).toEqual([]));

  const callback = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;

  /** The path at which a program asks, with what it redeems the answer by. */
  const asked = () => {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: 'worksmith-cli',
      response_type: 'code',
      redirect_uri: callback(),
      scope: SCOPES.join(' '),
      state: randomBytes(8).toString('hex'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return { path: `/oauth/authorize?${query.toString()}`, verifier };
  };

  const post = async (path: string, form: Record<string, string>) => {
    const response = await fetch(served.origin + path, { method: 'POST', body: new URLSearchParams(form) });
    return (await response.json()) as Record<string, string>;
  };
  const beginDevice = () =>
    post('/oauth/device-authorization', { client_id: 'worksmith-cli', scope: SCOPES.join(' ') });
  const pollDevice = (device: string) =>
    post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'worksmith-cli',
      device_code: device,
    });

  /** The width of the page fits, and its texts are in the language. */
  const expectFits = async (page: Page, language: string, where: string) => {
    expect([where, await overflowOf(page)]).toEqual([where, 0]);
    expect(await page.getAttribute('html', 'lang')).toBe(language);
  };
  const expectNothingChosen = async (page: Page) => {
    await page.waitForSelector('#consent', { state: 'visible' });
    expect(await page.locator('#scopes input').count()).toBe(SCOPES.length);
    expect(await page.locator('#scopes input:checked').count()).toBe(0);
    expect(await page.inputValue('#consent select')).toBe('');
  };
  const allow = '#consent button:not([type])';
  const refuse = '#consent button[type=button]';

  it.each(LOOKS)(
    'asks in $language on $width pixels: nothing is chosen, and all fits',
    async ({ language, ...looks }) => {
      const texts = TEXTS[language];
      const page = await served.open(asked().path, looks);
      await page.locator('#state', { hasText: texts.signInFirst }).waitFor();
      await expectFits(page, language, 'signed out');
      await enterPassword(page, ann.email);
      await expectNothingChosen(page);
      expect(await page.textContent('#consent h1')).toBe(texts.title('Worksmith command line'));
      expect(await page.textContent('#program')).toContain(new URL(callback()).host);
      await expectFits(page, language, 'asked');

      await page.selectOption('#consent select', { label: LONG_NAME });
      await page.click(allow);
      await page.locator('#state', { hasText: texts.tickOne }).waitFor();
      await expectFits(page, language, 'an organization is chosen');
      const answered = page.waitForURL(`${callback()}**`);
      await page.click(refuse);
      await answered;
      expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
      await page.context().close();
    },
  );

  it.each(LOOKS)('on a device asks in $language on $width pixels', async ({ language, ...looks }) => {
    const texts = TEXTS[language];
    const device = await beginDevice();
    const page = await served.open(new URL(device.verification_uri_complete).pathname, looks);
    await enterPassword(page, ann.email);
    await page.waitForSelector('#device', { state: 'visible' });
    expect(await page.textContent('#device p')).toBe(texts.deviceHint);
    await expectFits(page, language, 'the code is asked for');
    await page.fill('#device input', device.user_code.toLowerCase());
    await page.click('#device button');
    await expectNothingChosen(page);
    await expectFits(page, language, 'asked');
    await page.click(refuse);
    await page.locator('#state', { hasText: texts.refused }).waitFor();
    expect((await pollDevice(device.device_code)).error).toBe('access_denied');
    await page.context().close();
  });

  it('gets what the person ticks, and nothing else', async () => {
    const { path, verifier } = asked();
    const page = await served.open(path);
    await enterPassword(page, ann.email);
    await expectNothingChosen(page);
    await page.check('#scopes input[value="tasks:read"]');
    await page.click(allow);
    // The browser asks for the container.
    expect(await page.locator('#consent select:invalid').count()).toBe(1);
    await page.selectOption('#consent select', 'all');
    const answered = page.waitForURL(`${callback()}**`);
    await page.click(allow);
    await answered;
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const tokens = await post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: 'worksmith-cli',
      redirect_uri: callback(),
      code,
      code_verifier: verifier,
    });
    expect(tokens.scope).toBe('tasks:read');
    const read = await served.send('GET', '/tasks', undefined, tokens.access_token);
    const written = await served.send('POST', '/organizations', { name: 'More' }, tokens.access_token);
    expect([read.status, written.status]).toEqual([200, 403]);
    await page.context().close();
  });

  it('on a device gets nothing by a link alone: the person confirms its code first', async () => {
    const device = await beginDevice();
    const link = new URL(device.verification_uri_complete);
    const page = await served.open(link.pathname + link.search);
    await enterPassword(page, ann.email);
    await page.waitForSelector('#device', { state: 'visible' });
    expect(await page.inputValue('#device input')).toBe(device.user_code);
    expect(await page.isVisible('#consent')).toBe(false);
    await page.click('#device button');
    await expectNothingChosen(page);
    await page.check('#scopes input[value="tasks:read"]');
    await page.selectOption('#consent select', 'all');
    await page.click(allow);
    await page.locator('#state', { hasText: TEXTS.en.granted }).waitFor();
    expect((await pollDevice(device.device_code)).scope).toBe('tasks:read');
    await page.context().close();
  });

  it('asks again for a sign-in if the last proof is old, and for nothing in another browser', async () => {
    const page = await served.open(asked().path);
    await enterPassword(page, ann.email);
    await expectNothingChosen(page);
    await served.age(ann);
    await page.check('#scopes input[value="tasks:read"]');
    await page.selectOption('#consent select', 'all');
    await page.click(allow);
    await page.locator('#state', { hasText: TEXTS.en.signInAgain }).waitFor();
    await enterPassword(page, ann.email);
    await expectNothingChosen(page);

    const other = await served.open(new URL(page.url()).pathname);
    await enterPassword(other, ann.email);
    await other.locator('#state', { hasText: 'begun in another browser' }).waitFor();
    expect(await other.isVisible('#consent')).toBe(false);
    await Promise.all([page.context().close(), other.context().close()]);
  });

  it.each(['/docs', '/auth/callback/idp_0', '/oauth/consent/device', '/oauth/consent/a-request', '/oauth/authorize'])(
    'cannot show %s in a frame',
    async (path) => {
      const frame = `<iframe src="${served.origin}${path}"></iframe>`;
      const outside = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><p>Win!</p>${frame}`);
      }).listen(0, '127.0.0.1');
      await once(outside, 'listening');
      try {
        const page = await served.browser.open();
        await page.goto(`http://127.0.0.1:${(outside.address() as AddressInfo).port}/`);
        // The page is loaded before it is known what its frame shows.
        for (const one of page.frames()) await one.waitForURL(/./);
        expect(page.frames().map((one) => new URL(one.url()).protocol)).toEqual(['http:', 'chrome-error:']);
        await page.context().close();
      } finally {
        outside.closeAllConnections();
        outside.close();
      }
    },
  );

  it('is let in by no session that the page has not shown the request to', async () => {
    const page = await served.open(asked().path);
    await enterPassword(page, ann.email);
    await expectNothingChosen(page);
    expect(await signedInAs(page)).toBe(ann.email);
    await page.click('#signed-in button');
    await page.locator('#state', { hasText: TEXTS.en.signInFirst }).waitFor();
    expect(await page.isVisible('#consent')).toBe(false);
    await page.context().close();
  });
});
