import { Injectable } from '@nestjs/common';
import type { AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';

/** The endeavour of an invitation of the kind `link`, and the organization for which it is accepted. */
export interface OfferedLink {
  endeavour_id: string;
  organization_id: string;
  /** When the invitation was created: it does not bring back a link that ended later. */
  offeredAt: Date;
}

/** Decides about links of endeavours, and writes them. */
export interface LinkOffering {
  /** Checks that the caller can offer a link of the endeavour; 400 if it is not visible, 403 if the role is too low. */
  authorize(me: Caller, endeavourId: string): Promise<AuthorizedResource>;
  /** 409 `no_home` if the endeavour belongs to no organization, so that a link would give it away. */
  assertHasHome(endeavourId: string): Promise<void>;
  /**
   * Links the endeavour on behalf of the inviter to the organization, where the caller has to be an admin; false if it is
   * linked already. 400 `invalid_token` if the inviter could not link it now.
   */
  link(me: Caller, inviter: Caller, link: OfferedLink): Promise<boolean>;
}

/** Holds what the endeavours feature does for invitations, which do not depend on it. */
@Injectable()
export class LinkOffers {
  private offering: LinkOffering | undefined;

  register(offering: LinkOffering): void {
    this.offering = offering;
  }

  get(): LinkOffering {
    if (this.offering === undefined) throw new Error('no feature links endeavours');
    return this.offering;
  }
}
