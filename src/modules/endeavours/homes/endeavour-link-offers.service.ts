import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { MembershipRows } from '../../../access/memberships/membership-rows.js';
import { conflict } from '../../../common/errors.js';
import { invalidToken } from '../../invitations/invitation-tokens.js';
import type { LinkOffering, OfferedLink } from '../../invitations/link-offers.js';
import { OrganizationEndeavoursService } from '../../organizations/organization-endeavours.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { EndeavourHomesService } from './endeavour-homes.service.js';
import { EndeavourLinksService } from './endeavour-links.service.js';
import type { Endeavour } from '../endeavour.entity.js';
import { EndeavoursRepository } from '../endeavours.repository.js';

const OWNER = 4;

/**
 * Shares endeavours with organizations by invitation, so that no person has to be in both (spec 14): an owner of the home
 * organization offers the link, and an admin of the other one accepts it.
 */
@Injectable()
export class EndeavourLinkOffers implements LinkOffering {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursRepository,
    private readonly homes: EndeavourHomesService,
    private readonly links: EndeavourLinksService,
    private readonly membershipRows: MembershipRows,
    private readonly organizationLinks: OrganizationEndeavoursService,
    private readonly organizations: OrganizationsService,
  ) {}

  async authorize(me: Caller, endeavourId: string): Promise<AuthorizedResource> {
    const endeavour = await this.access.resolveReference(
      me,
      'endeavours_share',
      'endeavour_id',
      endeavourId,
      'endeavour',
    );
    const home = await this.homes.homeOf(endeavourId);
    if (home !== null) await this.links.assertOwns(me, home);
    return endeavour;
  }

  async assertHasHome(endeavourId: string): Promise<void> {
    if ((await this.homes.homeOf(endeavourId)) !== null) return;
    throw conflict('no_home', 'The endeavour has no home organization; link it to one of yours first.');
  }

  async link(me: Caller, inviter: Caller, { organization_id, endeavour_id, offeredAt }: OfferedLink): Promise<boolean> {
    const organization = await this.organizations.lockReference(
      me,
      'organizations_endeavours_add',
      'organization_id',
      organization_id,
    );
    const { containerStatus, containerKind, closedBy } = organization;
    this.access.assertWritable({ containerStatus, containerKind, closedBy });
    await this.assertOffered(inviter, await this.endeavours.lock(endeavour_id));
    const link = { organization_id, endeavour_id };
    if (await this.organizationLinks.hasEndedSince(link, offeredAt)) throw invalidToken();
    return this.links.share(me, link, inviter.userId);
  }

  /** Rejects the invitation unless the inviter could link the locked endeavour now. */
  private async assertOffered(inviter: Caller, { organizationId: home, status, closedBy }: Endeavour): Promise<void> {
    const isOpen = status !== 'archived' && closedBy === null;
    if (home === null || !isOpen || (await this.membershipRows.rankIn(inviter, home)) < OWNER) throw invalidToken();
  }
}
