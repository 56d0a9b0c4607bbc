import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccessTokenSecrets, isWellFormed } from '../../../access/authentication/access-token-secrets.js';
import { isRecord } from '../../../common/texts/json.js';
import { Settings } from '../../../platform/config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { RequestContext } from '../../../platform/context/request-context.js';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { Limits } from '../../../platform/limits/limits.js';
import { LocalWindow } from '../../../platform/limits/local-window.js';
import { rateLimited, type WindowLimit } from '../../../platform/limits/rate-limited.js';
import { clientMetadataIn, InvalidMetadata, type ClientMetadata } from '../clients/client-metadata.rules.js';
import { OauthClientsRepository } from '../clients/oauth-clients.repository.js';
import { OauthClientsService, type FreshOauthClient } from '../clients/oauth-clients.service.js';
import { RegistrationTokensRepository } from './registration-tokens.repository.js';

const BEARER = /^Bearer +(\S+)$/i;
const REGISTRATIONS: WindowLimit = {
  name: 'program_registrations',
  counts: 'registrations of programs from one address',
  most: 10,
  seconds: 3_600,
  setting: null,
};
const FAILURES: WindowLimit = {
  name: 'invalid_tokens',
  counts: 'invalid registration tokens from one address',
  most: 100,
  seconds: 60,
  setting: null,
};
/** Programs that registered themselves without a token and that no person has let act yet. */
const MAX_UNUSED = 1_000;
const HOUR_MS = 3_600_000;

/** Thrown if programs cannot register themselves, or not without a valid token. */
export class RegistrationRefused extends Error {
  constructor(readonly status: 401 | 404) {
    super(status === 404 ? 'Programs cannot register themselves here.' : 'A valid registration token is required.');
  }
}

/** Registers programs of others that ask for it themselves (RFC 7591), and deletes those that are never used. */
@Injectable()
export class ClientRegistration implements OnModuleInit {
  private readonly failures = new LocalWindow();

  constructor(
    private readonly clients: OauthClientsService,
    private readonly context: RequestContext,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly limits: Limits,
    private readonly repository: OauthClientsRepository,
    private readonly secrets: AccessTokenSecrets,
    private readonly settings: Settings,
    private readonly tokens: RegistrationTokensRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every('unused_programs', HOUR_MS, () => this.purge());
  }

  /** Throws {@link RegistrationRefused}, `InvalidMetadata` for a body that breaks the rules, and 429. */
  async register(authorization: string | undefined, body: unknown): Promise<FreshOauthClient> {
    const ways = this.settings.OAUTH_REGISTRATION;
    if (!ways.includes('token') && !ways.includes('open')) throw new RegistrationRefused(404);
    if (authorization === undefined && !ways.includes('open')) throw new RegistrationRefused(401);
    return authorization === undefined
      ? this.registerOpenly(named(body))
      : this.registerWith(ways.includes('token') ? (BEARER.exec(authorization)?.[1] ?? '') : '', body);
  }

  private async registerOpenly(metadata: ClientMetadata & { name: string }): Promise<FreshOauthClient> {
    await this.limits.consumeForAddress(REGISTRATIONS);
    return this.database.transaction(async () => {
      if ((await this.repository.countUnused()) >= MAX_UNUSED) {
        const counts = 'programs that nobody has used yet';
        throw rateLimited(
          { ...REGISTRATIONS, name: 'unused_programs', counts, most: MAX_UNUSED, seconds: null },
          3_600,
        );
      }
      return this.clients.register(null, 'open', metadata);
    });
  }

  private registerWith(token: string, body: unknown): Promise<FreshOauthClient> {
    return this.database.transaction(async () => {
      const isOne = isWellFormed(token, 'registration');
      const id = isOne ? await this.tokens.use(this.secrets.hashOf(token)) : undefined;
      if (id === undefined) throw this.failure();
      return this.clients.register(null, 'token', named(body), id);
    });
  }

  private failure(): Error {
    const { count, endsIn } = this.failures.count(this.context.clientNetwork);
    return count > FAILURES.most ? rateLimited(FAILURES, endsIn) : new RegistrationRefused(401);
  }

  private async purge(): Promise<void> {
    let isMore = true;
    while (isMore) isMore = await this.database.transaction(() => this.clients.endNextUnused());
  }
}

/** What a program says of itself, with a name: by default the place where answers go. */
function named(body: unknown): ClientMetadata & { name: string } {
  if (!isRecord(body)) throw new InvalidMetadata('invalid_client_metadata', 'The body must be a JSON object.');
  const metadata = clientMetadataIn(body);
  const [address] = metadata.redirectUris;
  const place = address === undefined ? '' : new URL(address).host || new URL(address).protocol.slice(0, -1);
  const name = metadata.name ?? place;
  if (name === '')
    throw new InvalidMetadata('invalid_client_metadata', 'client_name is required without redirect_uris.');
  return { ...metadata, name };
}
