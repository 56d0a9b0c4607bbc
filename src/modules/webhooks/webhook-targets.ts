import { AsyncLocalStorage } from 'node:async_hooks';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../common/errors.js';
import { isInNetworks } from '../../common/network.js';
import { isPublicAddress } from '../../common/public-address.js';
import { Settings } from '../../platform/config/settings.js';
import { HostResolver } from './host-resolver.js';

/** Thrown for a forbidden target; admins of the webhook see the message. */
export class ForbiddenTarget extends Error {}

/**
 * Decides to which targets events can be sent. Resolves the name for every attempt, so that the sender only connects to
 * checked addresses.
 */
@Injectable()
export class WebhookTargets {
  /** The URL that was resolved before the transaction of the current request. */
  private readonly resolved = new AsyncLocalStorage<{ href: string; errors: FieldError[] }>();

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
    const addresses = await this.resolve(target);
    if (addresses.every((address) => this.isAllowed(address))) return [];
    return [{ field: 'url', code: 'invalid_value', message: 'url must point to a public address.' }];
  }

  /** The addresses of an allowed target; throws {@link ForbiddenTarget} otherwise. */
  async addressesOf(target: URL): Promise<string[]> {
    if (!this.isAllowedScheme(target)) throw new ForbiddenTarget('Only https is allowed.');
    const addresses = await this.resolve(target);
    if (addresses.length === 0) throw new ForbiddenTarget('The host name has no address.');
    if (addresses.every((address) => this.isAllowed(address))) return addresses;
    throw new ForbiddenTarget('The host has an address that is not public.');
  }

  private isAllowedScheme({ protocol }: URL): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.settings.WEBHOOK_HTTP);
  }

  private isAllowed(address: string): boolean {
    return isPublicAddress(address) || isInNetworks(address, this.settings.WEBHOOK_ALLOW);
  }

  /**
   * The addresses of the host. Decimal, octal and short forms of addresses are already normalized by the URL parser.
   */
  private async resolve(target: URL): Promise<string[]> {
    const host = hostOf(target);
    return isIP(host) === 0 ? this.resolver.addressesOf(host) : [host];
  }
}

/** The host without the brackets of an IPv6 address and the trailing dot of a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
