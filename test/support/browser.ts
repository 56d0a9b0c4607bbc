import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';

/** What is missing for tests in a browser; undefined if nothing is. */
export const missingBrowser = (): string | undefined =>
  existsSync(PROGRAM)
    ? undefined
    : `scripts/production-programs.sh installs Chromium, in which pages are tested and which this machine lacks (${PROGRAM}).`;

/** A language and a size of the window. */
export interface Looks {
  locale?: string;
  width?: number;
}

/**
 * A real Chromium, which reaches this machine only. What its pages complain about is collected: errors of scripts, what the
 * policy for contents has blocked, and requests to other hosts. Refusals by the interface are no fault of a page.
 */
export class RealBrowser {
  readonly complaints: string[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly origin: string,
  ) {}

  static async launch(origin: string): Promise<RealBrowser> {
    const browser = await chromium.launch({
      executablePath: PROGRAM,
      args: [
        '--no-sandbox',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
        '--disable-dev-shm-usage',
      ],
    });
    return new RealBrowser(browser, origin);
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  /** A page with cookies and storage of its own. */
  async open({ locale = 'en-GB', width = 1280 }: Looks = {}): Promise<Page> {
    const context = await this.browser.newContext({ locale, viewport: { width, height: 800 } });
    this.watch(context);
    return context.newPage();
  }

  private watch(context: BrowserContext): void {
    const isOwn = (address: string): boolean => address.startsWith(this.origin);
    context.on('weberror', (fault) => {
      if (isOwn(fault.page()?.url() ?? '')) this.complaints.push(fault.error().message);
    });
    context.on('console', (message) => {
      const at = message.location().url;
      const isRefusal = isOwn(at) && at.includes('/api/v1/') && message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && isOwn(message.page()?.url() ?? '') && !isRefusal)
        this.complaints.push(message.text());
    });
    context.on('request', (request) => {
      const from = request.frame().url();
      const isLoaded = !request.isNavigationRequest() && isOwn(from);
      if (isLoaded && !isOwn(request.url()) && !request.url().startsWith('data:'))
        this.complaints.push(`${from} has requested ${request.url()}`);
    });
  }
}

/** A device with a finger or a PIN, which answers at once. */
export class VirtualAuthenticator {
  private constructor(
    private readonly protocol: CDPSession,
    private readonly id: string,
  ) {}

  static async in(page: Page): Promise<VirtualAuthenticator> {
    const protocol = await page.context().newCDPSession(page);
    await protocol.send('WebAuthn.enable');
    const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new VirtualAuthenticator(protocol, authenticatorId);
  }

  /** Whether the next person at the device is recognized. */
  async recognizes(isUserVerified: boolean): Promise<void> {
    await this.protocol.send('WebAuthn.setUserVerified', { authenticatorId: this.id, isUserVerified });
  }

  /** The number of passkeys on the device. */
  async count(): Promise<number> {
    const { credentials } = await this.protocol.send('WebAuthn.getCredentials', { authenticatorId: this.id });
    return credentials.length;
  }
}

/** By how many pixels a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The addresses to which the person can go back or forward. */
export async function visitedIn(page: Page): Promise<string[]> {
  const protocol = await page.context().newCDPSession(page);
  const { entries } = await protocol.send('Page.getNavigationHistory');
  return entries.map(({ url }) => url);
}
