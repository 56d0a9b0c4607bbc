import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessTokenSecrets, isWellFormed } from '../../access/authentication/access-token-secrets.js';
import { notFound } from '../../common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { identifyAs } from '../../platform/http/server/session-concurrency-limiter.js';
import { unauthorized } from '../../platform/http/responses/to-api-error.js';
import { LocalWindow } from '../../platform/limits/local-window.js';
import { rateLimited, type Limit } from '../../platform/limits/rate-limited.js';
import { directoryWith, type Directory } from './directory.js';
import { ScimTokensRepository, type DirectoryToken } from './tokens/scim-tokens.repository.js';

const BEARER = /^Bearer +(\S+)$/i;
/** Limits the load of invalid tokens; tokens are too long to be guessed. */
const FAILURES: Limit = {
  name: 'invalid_tokens',
  counts: 'invalid provisioning tokens from one address',
  most: 100,
  seconds: 60,
  setting: null,
};
const USE_MS = 300_000;

/** Authenticates the directory of an organization by its provisioning token, which opens the path of that organization only. */
@Injectable()
export class DirectorySignIn {
  private readonly log = new Logger(DirectorySignIn.name);
  private readonly failures = new LocalWindow();
  private readonly reads = new LocalWindow();
  private readonly writes = new LocalWindow();

  constructor(
    private readonly context: RequestContext,
    private readonly repository: ScimTokensRepository,
    private readonly secrets: AccessTokenSecrets,
    private readonly settings: Settings,
  ) {}

  /** 401 without a valid token, 404 for the path of another organization, 429 for too many requests. */
  async directoryOf(request: FastifyRequest): Promise<Directory> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const found = isWellFormed(token, 'provisioning')
      ? await this.repository.find(this.secrets.hashOf(token))
      : undefined;
    if (found === undefined) throw this.failure();
    const { organization_id: organizationId } = request.params as { organization_id?: string };
    if (organizationId !== found.organizationId) throw notFound();
    identifyAs(request, found.organizationId);
    this.count(request.method, found);
    await this.recordUse(found);
    const directory = directoryWith(found);
    this.context.actAs(directory);
    return directory;
  }

  private failure(): Error {
    const { count, endsIn } = this.failures.count(this.context.clientNetwork);
    return count > FAILURES.most ? rateLimited(FAILURES, endsIn) : unauthorized();
  }

  /** A directory may send as many requests as a user. */
  private count(method: string, { organizationId }: DirectoryToken): void {
    const isRead = method === 'GET' || method === 'HEAD';
    const { LIMIT_READS_PER_MINUTE, LIMIT_WRITES_PER_MINUTE } = this.settings;
    const most = isRead ? LIMIT_READS_PER_MINUTE : LIMIT_WRITES_PER_MINUTE;
    const { count, endsIn } = (isRead ? this.reads : this.writes).count(organizationId);
    if (count <= most) return;
    const name = isRead ? 'reads' : 'writes';
    const setting = isRead ? 'LIMIT_READS_PER_MINUTE' : 'LIMIT_WRITES_PER_MINUTE';
    throw rateLimited({ name, most, seconds: 60, counts: `${name} of one directory`, setting }, endsIn);
  }

  /** A request does not fail because its use cannot be recorded, such as on a read-only database. */
  private async recordUse({ id, lastUsedAt }: DirectoryToken): Promise<void> {
    if (lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < USE_MS) return;
    await this.repository
      .recordUse(id)
      .catch((error: unknown) => this.log.warn('Could not save the last use of a provisioning token.', error));
  }
}
