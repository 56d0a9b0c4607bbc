import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { notFound } from '../../common/errors.js';
import { Limits } from '../../platform/limits/limits.js';
import { IdentityProvidersRepository, type SignInProvider } from './identity-providers.repository.js';
import { ProviderConnections } from './protocol/provider-connections.js';
import { reasonOf } from './protocol/provider-protocol.js';
import { ProviderRequests } from './protocol/provider-requests.js';
import { CLOCK_TOLERANCE_SECONDS } from './provider.rules.js';

export const PROVIDER_CHECKS = ['discovery', 'keys', 'clock'] as const;

/** Limits the requests that one user can make the service send. */
const TESTS = { name: 'provider_tests', counts: 'tests of providers', most: 60, seconds: 3_600, setting: null };

/** The result of one check. */
interface Finding {
  check: (typeof PROVIDER_CHECKS)[number];
  ok: boolean;
  message: string;
}

export interface ProviderTest {
  ok: boolean;
  checks: Finding[];
}

/** Checks whether a provider answers as it should, without changing anything. */
@Injectable()
export class ProviderTests {
  constructor(
    private readonly access: Access,
    private readonly connections: ProviderConnections,
    private readonly limits: Limits,
    private readonly providers: IdentityProvidersRepository,
    private readonly requests: ProviderRequests,
  ) {}

  async run(me: Caller, id: string): Promise<ProviderTest> {
    await this.access.authorizeWithoutLock(me, 'identity_providers_test', id);
    await this.limits.consume(TESTS, me.userId);
    const provider = await this.providers.find(id);
    if (provider === undefined) throw notFound();
    const checks = await this.check(provider);
    return { ok: checks.every(({ ok }) => ok), checks };
  }

  private async check(provider: SignInProvider): Promise<Finding[]> {
    try {
      const { jwks_uri: keys } = await this.connections.discover(provider);
      const discovery: Finding = { check: 'discovery', ok: true, message: 'The metadata can be read.' };
      return [discovery, ...(await this.checkKeys(keys))];
    } catch (error) {
      return [{ check: 'discovery', ok: false, message: `The metadata cannot be read: ${reasonOf(error)}.` }];
    }
  }

  private async checkKeys(url: string | undefined): Promise<Finding[]> {
    if (url === undefined) return [{ check: 'keys', ok: false, message: 'The metadata name no keys (jwks_uri).' }];
    try {
      const response = await this.requests.fetch(url, { method: 'GET', headers: { accept: 'application/json' } });
      const { keys } = (await response.json()) as { keys?: unknown };
      const count = Array.isArray(keys) ? keys.length : 0;
      const message = count > 0 ? `The provider has ${count} keys.` : 'The provider has no keys.';
      return [{ check: 'keys', ok: count > 0, message }, clockOf(response.headers.get('date'))];
    } catch (error) {
      return [{ check: 'keys', ok: false, message: `The keys cannot be read: ${reasonOf(error)}.` }];
    }
  }
}

/** Compares the clocks: tokens are refused if they differ by more than the tolerance. */
function clockOf(date: string | null): Finding {
  const seconds = date === null ? NaN : Math.round((Date.parse(date) - Date.now()) / 1_000);
  if (Number.isNaN(seconds)) return { check: 'clock', ok: true, message: 'The provider does not tell its time.' };
  const ok = Math.abs(seconds) < CLOCK_TOLERANCE_SECONDS;
  return { check: 'clock', ok, message: `The clock of the provider differs by ${Math.abs(seconds)} seconds.` };
}
