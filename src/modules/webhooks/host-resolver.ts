import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';

const TIMEOUT_MS = 1_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Finds the addresses of host names in DNS. The resolver of the operating system would occupy one of the few threads on
 * which passwords are hashed for as long as a name server takes.
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
    const answers = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
