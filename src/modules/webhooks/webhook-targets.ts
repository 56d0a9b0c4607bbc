import { Injectable } from '@nestjs/common';
import { Ambient } from '../../common/ambient.js';
import type { FieldError } from '../../common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { HostResolver } from '../../platform/outgoing/host-resolver.js';
import { allowedAddresses, ForbiddenTarget, isAllowedAddress, resolveHost } from '../../platform/outgoing/targets.js';

/**
 * Decides to which targets events can be sent. Resolves the name for every attempt, so that the sender only connects to
 * checked addresses.
 */
@Injectable()
export class WebhookTargets {
  /** The URL that was resolved before the transaction of the current request. */
  private readonly resolved = new Ambient<{ href: string; errors: FieldError[] }>();

  constructor(
    private readonly resolver: HostResolver,
    private readonly settings: Settings,
  ) {}

  /** Resolves the URL before the work that stores it, so that no database connection waits for a name server. */
  async withResolved<T>(url: string, work: () => Promise<T>): Promise<T> {
    const errors = await this.errorsOf(url);
    return this.resolved.run({ href: new URL(url).href, errors }, work);
  }

  /** The error of a URL that is about to be stored; accepts a name without an address. */
  async errorsOf(url: string | undefined): Promise<FieldError[]> {
    if (url === undefined) return [];
    const target = new URL(url);
    const resolved = this.resolved.getStore();
    if (resolved?.href === target.href) return resolved.errors;
    if (!this.isAllowedScheme(target)) {
      return [{ field: 'url', code: 'invalid_value', message: 'url must begin with https://.' }];
    }
    const addresses = await resolveHost(this.resolver, target);
    if (addresses.every((address) => isAllowedAddress(address, this.settings.WEBHOOK_ALLOW))) return [];
    return [{ field: 'url', code: 'invalid_value', message: 'url must point to a public address.' }];
  }

  /** The addresses of an allowed target; throws {@link ForbiddenTarget} otherwise. */
  async addressesOf(target: URL): Promise<string[]> {
    if (!this.isAllowedScheme(target)) throw new ForbiddenTarget('Only https is allowed.');
    return allowedAddresses(this.resolver, target, this.settings.WEBHOOK_ALLOW);
  }

  private isAllowedScheme({ protocol }: URL): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.settings.WEBHOOK_HTTP);
  }
}
