import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import { LocalWindow } from '../../../platform/limits/local-window.js';
import { ProviderRequests } from '../../identity-providers/protocol/provider-requests.js';
import { clientDocumentIn, freshFor, isDocumentAddress } from './client-document.rules.js';
import { InvalidMetadata, type ClientMetadata } from './client-metadata.rules.js';

/** The draft proposes five kilobytes. */
const MAX_BYTES = 10 * 1024;
const MAX_KNOWN = 500;
/** The requests at once to other servers, and in a minute for one client address. */
const MOST_AT_ONCE = 10;
const MOST_PER_MINUTE = 30;
/** What cannot be read is not asked for again at once. */
const FAILED_MS = 10_000;
/** A document that was read lately goes on counting while its server does not answer. */
const STALE_MS = 24 * 3_600_000;

/** Thrown if the document of a program could not be fetched now. */
export class DocumentUnreachable extends Error {}

/** What is known of a document. */
interface Known {
  metadata?: ClientMetadata;
  /** Why it cannot be used. */
  error?: Error;
  readAt: number;
  freshUntil: number;
}

/**
 * Fetches what programs say of themselves at the address that is their id (client id metadata documents), under the target rules
 * of identity providers: without redirects, for at most five seconds and ten kilobytes.
 */
@Injectable()
export class ClientDocuments {
  private readonly log = new Logger('OAuth');
  /** The least recently asked for comes first. */
  private readonly known = new Map<string, Known>();
  private readonly running = new Map<string, Promise<Known>>();
  private readonly requests = new LocalWindow();

  constructor(
    private readonly context: RequestContext,
    private readonly providers: ProviderRequests,
    private readonly settings: Settings,
  ) {}

  /**
   * Undefined if the id is not the address of a document, or documents are not accepted. Throws {@link InvalidMetadata} for a document
   * that cannot be used, and {@link DocumentUnreachable}.
   */
  async find(id: string): Promise<ClientMetadata | undefined> {
    if (!this.settings.OAUTH_REGISTRATION.includes('metadata') || !isDocumentAddress(id)) return undefined;
    const former = this.known.get(id);
    const current = former !== undefined && former.freshUntil > Date.now() ? former : await this.fetched(id, former);
    this.remember(id, current);
    if (current.metadata === undefined) throw current.error ?? new DocumentUnreachable(id);
    return current.metadata;
  }

  /** Concurrent requests for one document share one fetch. */
  private fetched(id: string, former: Known | undefined): Promise<Known> {
    const running = this.running.get(id);
    if (running !== undefined) return running;
    const { count } = this.requests.count(this.context.clientNetwork);
    if (count > MOST_PER_MINUTE || this.running.size >= MOST_AT_ONCE) {
      throw new DocumentUnreachable('Too many documents of programs are asked for; try again later.');
    }
    const fetching = this.fetch(id, former).finally(() => this.running.delete(id));
    this.running.set(id, fetching);
    return fetching;
  }

  private async fetch(id: string, former: Known | undefined): Promise<Known> {
    const now = Date.now();
    try {
      const { metadata, freshMs } = await this.read(id);
      return { metadata, readAt: now, freshUntil: now + freshMs };
    } catch (error) {
      this.log.warn(`The document ${id} of a program cannot be used: ${String(error)}`);
      const freshUntil = now + FAILED_MS;
      if (error instanceof InvalidMetadata) return { error, readAt: now, freshUntil };
      const isRecent = former?.metadata !== undefined && now - former.readAt < STALE_MS;
      if (isRecent) return { ...former, freshUntil };
      return { error: new DocumentUnreachable('The document of the program cannot be read.'), readAt: now, freshUntil };
    }
  }

  private async read(id: string): Promise<{ metadata: ClientMetadata; freshMs: number }> {
    const headers = { accept: 'application/json' };
    const response = await this.providers.fetch(id, { method: 'GET', headers, maxBytes: MAX_BYTES });
    if (response.status >= 300 && response.status < 500) {
      throw new InvalidMetadata('invalid_client_metadata', 'There is no document at the address.');
    }
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    const metadata = clientDocumentIn(id, response.headers.get('content-type'), await response.text());
    return { metadata, freshMs: freshFor(response.headers.get('cache-control')) };
  }

  private remember(id: string, known: Known): void {
    this.known.delete(id);
    this.known.set(id, known);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN) this.known.delete(oldest);
  }
}
