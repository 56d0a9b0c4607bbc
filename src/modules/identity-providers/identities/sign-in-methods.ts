import { Injectable } from '@nestjs/common';
import { domainOf } from '../../../common/network/domains.js';
import { RelyingParty } from '../../passkeys/relying-party.js';
import { IdentityProvidersRepository, type OfferedProvider } from '../identity-providers.repository.js';

/** The ways to sign in that a client can offer. */
export interface Methods {
  password: true;
  passkey: boolean;
  providers: OfferedProvider[];
}

/** Tells clients which ways to sign in they can offer, by the domain alone. */
@Injectable()
export class SignInMethods {
  constructor(
    private readonly providers: IdentityProvidersRepository,
    private readonly relyingParty: RelyingParty,
  ) {}

  async forEmail(email: string): Promise<Methods> {
    const providers = await this.providers.offeredFor(domainOf(email));
    return { password: true, passkey: this.relyingParty.isOn, providers };
  }
}
