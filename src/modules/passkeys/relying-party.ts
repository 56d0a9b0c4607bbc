import { isIP } from 'node:net';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { conflict } from '../../common/errors.js';
import { StartError } from '../../common/start-error.js';
import { serviceAddress } from '../../platform/config/address.js';
import { Settings } from '../../platform/config/settings.js';

/** The domain for which passkeys are made, and the origins of the pages that may use them. */
export interface RelyingPartyNames {
  id: string;
  origins: string[];
}

/** Decides from the settings for which domain passkeys are made. */
@Injectable()
export class RelyingParty implements OnModuleInit {
  private readonly log = new Logger('Passkeys');
  private names: RelyingPartyNames | undefined;

  constructor(private readonly settings: Settings) {}

  onModuleInit(): void {
    const { host, hostname, origin } = new URL(serviceAddress(this.settings));
    const id = this.settings.WEBAUTHN_RP_ID ?? hostname;
    if (isIP(id.replaceAll(/[[\]]/g, '')) > 0) {
      this.log.log(`passkeys are off, because ${host} is an IP address; set WEBAUTHN_RP_ID or PUBLIC_URL to a domain`);
      return;
    }
    const foreign = this.settings.WEBAUTHN_ORIGINS.filter((each) => !isWithin(id, each));
    if (foreign.length > 0) {
      throw new StartError(`WEBAUTHN_ORIGINS contains origins outside of ${id}: ${foreign.join(', ')}`);
    }
    this.names = { id, origins: [...(isWithin(id, origin) ? [origin] : []), ...this.settings.WEBAUTHN_ORIGINS] };
  }

  /** Whether this service has passkeys. */
  get isOn(): boolean {
    return this.names !== undefined;
  }

  /** 409 `passkeys_off` if the service has no domain. */
  get(): RelyingPartyNames {
    if (this.names !== undefined) return this.names;
    throw conflict('passkeys_off', 'This service has no domain, so it has no passkeys; sign in with your password.');
  }
}

const isWithin = (id: string, origin: string): boolean => {
  const { hostname } = new URL(origin);
  return hostname === id || hostname.endsWith(`.${id}`);
};
