import { AsyncLocalStorage } from 'node:async_hooks';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../common/errors.js';
import { isInNetworks } from '../../common/network.js';
import { isPublicAddress } from '../../common/public-address.js';
import { Settings } from '../../platform/config/settings.js';
import { HostResolver } from './host-resolver.js';

/** A forbidden target; the message is for the admins of the webhook. */
export class RefusedTarget extends Error {}

/**
 * Decides where events may be sent. The name is resolved for every attempt, and only checked addresses are connected
 * to.
 */
@Injectable()
export class WebhookTargets {
  /** The URL that was resolved before the transaction of the current request. */
  private readonly looked = new AsyncLocalStorage<{ href: string; faults: FieldError[] }>();

  constructor(
    private readonly resolver: HostResolver,
    private readonly settings: Settings,
  ) {}

  /** Resolves the URL before the work that stores it, so that no database connection waits for a name server. */
  async withResolved<T>(url: string, work: () => Promise<T>): Promise<T> {
    const faults = await this.faultsOf(url);
    return this.looked.run({ href: new URL(url).href, faults }, work);
  }

  /** The error of a URL that is to be stored; a name without an address is accepted. */
  async faultsOf(url: string | undefined): Promise<FieldError[]> {
    if (url === undefined) return [];
    const target = new URL(url);
    const looked = this.looked.getStore();
    if (looked?.href === target.href) return looked.faults;
    if (!this.isAllowedScheme(target)) {
      return [{ field: 'url', code: 'invalid_value', message: 'url must begin with https://.' }];
    }
    const addresses = await this.find(target);
    if (addresses.every((address) => this.isAllowed(address))) return [];
    return [{ field: 'url', code: 'invalid_value', message: 'url must point to a public address.' }];
  }

  /** The addresses to connect to. */
  async addressesOf(target: URL): Promise<string[]> {
    if (!this.isAllowedScheme(target)) throw new RefusedTarget('Only https is allowed.');
    const addresses = await this.find(target);
    if (addresses.length === 0) throw new RefusedTarget('The host name has no address.');
    if (addresses.every((address) => this.isAllowed(address))) return addresses;
    throw new RefusedTarget('The host has an address that is not public.');
  }

  private isAllowedScheme({ protocol }: URL): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.settings.WEBHOOK_HTTP);
  }

  private isAllowed(address: string): boolean {
    return isPublicAddress(address) || isInNetworks(address, this.settings.WEBHOOK_ALLOW);
  }

  /** The URL parser has normalized decimal, octal and short forms of addresses. */
  private async find(target: URL): Promise<string[]> {
    const host = hostOf(target);
    return isIP(host) === 0 ? this.resolver.addressesOf(host) : [host];
  }
}

/** The host without the brackets of an IPv6 address and the trailing dot of a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
