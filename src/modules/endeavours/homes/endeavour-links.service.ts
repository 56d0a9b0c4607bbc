import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { MembershipRows } from '../../../access/memberships/membership-rows.js';
import { Tiers } from '../../../access/tiers/tiers.js';
import { conflict, forbidden, invalidInput, notFound, referenceNotFound } from '../../../common/errors.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { OwnerMails, type OwnedContainer } from '../../organizations/archive/owner-mails.js';
import {
  OrganizationEndeavoursService,
  type EndeavourLink,
} from '../../organizations/organization-endeavours.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { EndeavourHomesService } from './endeavour-homes.service.js';
import { Endeavour } from '../endeavour.entity.js';
import { endeavourView } from '../endeavour.view.js';
import { EndeavoursRepository } from '../endeavours.repository.js';
import { HomeLeaving } from './home-leaving.js';
import { TransferConsent } from './transfer-consent.js';

const ADMIN = 3;
const OWNER = 4;

/**
 * Manages the home organization of endeavours, which owns them, and the organizations that they are shared with (spec
 * 02). Locks rows in a fixed order: organizations first, then the endeavour.
 */
@Injectable()
export class EndeavourLinksService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursRepository,
    private readonly homes: EndeavourHomesService,
    private readonly leaving: HomeLeaving,
    private readonly links: OrganizationEndeavoursService,
    private readonly organizations: OrganizationsService,
    private readonly consent: TransferConsent,
    private readonly mails: OwnerMails,
    private readonly membershipRows: MembershipRows,
    private readonly tiers: Tiers,
    private readonly writer: ResourceWriter,
  ) {}

  async link(me: Caller, organizationId: string, endeavourId: string): Promise<EndeavourLink> {
    await this.admit(me, organizationId, endeavourId);
    return { organization_id: organizationId, endeavour_id: endeavourId };
  }

  /** Makes the organization the home of an endeavour without one, or shares an endeavour that has one with it. */
  async admit(me: Caller, organizationId: string, endeavourId: string): Promise<{ isNew: boolean }> {
    const organization = await this.organizations.lockForUpdate(me, 'organizations_endeavours_add', organizationId);
    const { row } = await this.access.lockReferenceForUpdate(
      me,
      'endeavours_share',
      Endeavour,
      'endeavour_id',
      endeavourId,
    );
    const home = row.organizationId;
    if (home !== null && home !== organizationId) await this.assertOwns(me, home);
    this.access.assertWritable(organization);
    this.assertWritable(row);
    const link = { organization_id: organizationId, endeavour_id: endeavourId };
    if (home !== null) return { isNew: await this.share(me, link, me.userId) };
    const isNew = await this.admitOnce(me, link, () => this.links.insert(me, link));
    await this.move(me, row, organizationId, 'endeavour.linked');
    return { isNew };
  }

  /** Shares the locked endeavour with the locked organization, without checking rights; false if it is linked already. */
  share(me: Caller, link: EndeavourLink, linkedBy: string): Promise<boolean> {
    return this.admitOnce(me, link, () => this.links.share(me, link, linkedBy));
  }

  private async admitOnce(me: Caller, link: EndeavourLink, write: () => Promise<void>): Promise<boolean> {
    if (await this.links.isLinked(link)) return false;
    await this.tiers.assertMayLinkEndeavour(me, link.organization_id);
    await write();
    return true;
  }

  /**
   * Ends a link. Owners of the endeavour see the ids of all organizations that it is linked to, and can end a link to an
   * organization that is not visible to them.
   */
  async unlink(me: Caller, organizationId: string, endeavourId: string): Promise<void> {
    const isOwner = ((await this.access.find(me, endeavourId))?.rank ?? 0) >= OWNER;
    const organization = isOwner
      ? await this.organizations.lock(organizationId)
      : (await this.organizations.lockForUpdate(me, 'organizations_unshare', organizationId)).row;
    const link = { organization_id: organizationId, endeavour_id: endeavourId };
    if (organization === undefined || !(await this.links.isLinked(link))) throw notFound();
    const row = await this.endeavours.lock(endeavourId);
    const isHome = row.organizationId === organizationId;
    if (isHome) await this.assertOwns(me, organizationId);
    this.access.assertIfMatch({ row: organization });
    this.access.assertNotClosed(organization);
    this.assertWritable(row);
    if (isHome) await this.assertHasDirectOwner(row);
    await this.mails.send(me, 'endeavour_unlinked', row, { target: organization.name });
    if (!isHome) return this.links.unshare(me, link);
    await this.leaving.announce(me, endeavourId, organizationId);
    await this.move(me, row, null, 'endeavour.unlinked');
    await this.links.remove(me, link);
  }

  /** Moves an endeavour from its home organization to another one; direct roles and other links stay. */
  async transfer(me: Caller, id: string, organizationId: string): Promise<Representation> {
    await this.access.authorize(me, 'endeavours_transfer', id);
    const home = await this.homes.homeOf(id);
    if (home !== null) await this.assertOwns(me, home);
    if (!(await this.consent.isRequestedByOther(me, id, organizationId))) await this.resolveTarget(me, organizationId);
    // The limits of the tier lock the organization too, and organizations come before endeavours.
    const target = await this.organizations.lock(organizationId);
    // The requested transfer can have been executed, and roles can have ended, while this transaction waited.
    const isConfirmation = await this.consent.isRequestedByOther(me, id, organizationId);
    if (!isConfirmation) await this.assertTakesHome(me, organizationId);
    const locked = await this.access.lockForUpdate(me, 'endeavours_transfer', Endeavour, id);
    const { row } = locked;
    this.access.assertWritable(locked);
    if (target === undefined) throw invalidInput([referenceNotFound('organization_id')]);
    this.access.assertWritable({
      containerStatus: target.status,
      containerKind: 'organization',
      closedBy: target.closedBy,
    });
    if (row.organizationId === null) {
      throw conflict('no_home', 'The endeavour has no home organization; link it to the organization instead.');
    }
    // The home can have changed while this transaction waited for the lock.
    if (row.organizationId !== home) await this.assertOwns(me, row.organizationId);
    if (row.organizationId !== organizationId) {
      if (!isConfirmation) await this.consent.assertSecondOwner(me, row, row.organizationId, target);
      await this.changeHome(me, row, row.organizationId, target);
    }
    // The caller may have no role in the endeavour any more.
    const endeavour = await this.writer.read(me, endeavourView, id);
    return endeavour.with({ outsiders: await this.membershipRows.outsiders(id, organizationId) });
  }

  private async resolveTarget(me: Caller, organizationId: string): Promise<void> {
    await this.access.resolveReference(me, 'endeavours_take_home', 'organization_id', organizationId, 'organization');
  }

  private async changeHome(me: Caller, row: Endeavour, from: string, { id: to, name }: OwnedContainer): Promise<void> {
    const link = { organization_id: to, endeavour_id: row.id };
    if (!(await this.links.isLinked(link))) {
      await this.tiers.assertMayLinkEndeavour(me, to);
      await this.links.insert(me, link);
    }
    await this.mails.send(me, 'endeavour_transferred', row, { target: name });
    await this.leaving.announce(me, row.id, from);
    await this.move(me, row, to, 'endeavour.transferred');
    await this.links.unshare(me, { organization_id: from, endeavour_id: row.id });
  }

  /** Changes or removes the home organization; the calling code adds and removes the links. */
  private async move(me: Caller, current: Endeavour, organizationId: string | null, type: string): Promise<void> {
    await this.writer.patch(me, endeavourView, Endeavour, {
      current,
      changes: { organizationId },
      place: { endeavourId: current.id, organizationId: organizationId ?? current.organizationId },
      type: () => type,
    });
    await this.consent.clear(current.id);
  }

  /** 403 unless the caller owns the home organization. */
  async assertOwns(me: Caller, home: string): Promise<void> {
    if ((await this.membershipRows.rankIn(me, home)) >= OWNER) return;
    throw forbidden('the owner role in the home organization of this endeavour');
  }

  /** Rejects a caller whose role in the organization ended or fell while this transaction waited for the lock. */
  private async assertTakesHome(me: Caller, organizationId: string): Promise<void> {
    if ((await this.membershipRows.rankIn(me, organizationId)) >= ADMIN) return;
    throw forbidden('the admin role in this organization');
  }

  /** Rejects the removal of the home organization from an endeavour without an active direct owner. */
  private async assertHasDirectOwner({ id }: Endeavour): Promise<void> {
    if (await this.membershipRows.hasActiveOwner(id)) return;
    throw conflict('last_owner', 'An endeavour without a home organization needs an active direct owner.');
  }

  private assertWritable({ status, closedBy }: Endeavour): void {
    this.access.assertWritable({ containerStatus: status, containerKind: 'endeavour', closedBy });
  }
}
