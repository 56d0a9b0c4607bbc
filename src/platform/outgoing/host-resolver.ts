import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';

const TIMEOUT_MS = 1_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Resolves host names with DNS queries. The resolver of the operating system would block one of the few threads that
 * also hash passwords while it waits for a name server.
 */
@Injectable()
export class HostResolver {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });

  constructor({ WEBHOOK_RESOLVERS }: Settings) {
    if (WEBHOOK_RESOLVERS.length > 0) this.resolver.setServers(WEBHOOK_RESOLVERS);
  }

  /** All addresses of the name; empty if it has none, or no server answers. */
  async addressesOf(name: string): Promise<string[]> {
    if (/^(?:.+\.)?localhost$/i.test(name)) return LOOPBACK;
    const results = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  }
}
