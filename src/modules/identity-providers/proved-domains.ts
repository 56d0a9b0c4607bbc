import { Injectable } from '@nestjs/common';
import { IdentityProvidersRepository } from './identity-providers.repository.js';
import { domainOf } from './provider.rules.js';

/** Says which organization speaks for the people of a domain. */
@Injectable()
export class ProvedDomains {
  constructor(private readonly providers: IdentityProvidersRepository) {}

  /** The organization that speaks for the address, in canonical form; undefined if none does. */
  organizationFor(email: string): Promise<string | undefined> {
    return this.providers.organizationWith(domainOf(email));
  }
}
