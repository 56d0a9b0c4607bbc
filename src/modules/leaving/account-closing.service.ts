import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Memberships } from '../../access/memberships.js';
import { conflict, invalidInput, referenceNotFound } from '../../common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { AcceptedOperation } from '../../platform/http/accepted-operation.js';
import { CurrentPassword } from '../auth/current-password.js';
import { EndeavourArchiveService } from '../endeavours/endeavour-archive.service.js';
import { OrganizationArchiveService } from '../organizations/organization-archive.service.js';
import { UsersService } from '../users/users.service.js';
import { AccountErasureService } from './account-erasure.service.js';
import type { HeirsByContainer } from './heirs.field.js';
import type { DeleteAccountDto } from './leaving.dto.js';
import { OwnedContainersRepository, type OwnedAlone } from './owned-containers.repository.js';

const DAY_MS = 86_400_000;
const REASON = 'The account of the last owner was closed.';

/** An account that was closed. */
export interface Closed {
  status: 'inactive';
  /** When it is erased. */
  erasure_at: string;
}

/** Closes accounts: of people who leave, or by administrators. */
@Injectable()
export class AccountClosingService {
  constructor(
    private readonly access: Access,
    private readonly containers: OwnedContainersRepository,
    private readonly current: CurrentPassword,
    private readonly database: Database,
    private readonly endeavours: EndeavourArchiveService,
    private readonly erasure: AccountErasureService,
    private readonly memberships: Memberships,
    private readonly organizations: OrganizationArchiveService,
    private readonly settings: Settings,
    private readonly users: UsersService,
  ) {}

  /** The caller's own, which signing in opens again until it is erased. */
  async closeOwn(me: Caller, { current_password: password, heirs = {} }: DeleteAccountDto): Promise<Closed> {
    await this.current.prove(me, password);
    const erasureAt = this.erasureAt();
    await this.database.transaction(async () => {
      await this.installHeirs(me, heirs);
      await this.leaveContainers(me, me);
      await this.users.close(me, me.userId, erasureAt);
    });
    return { status: 'inactive', erasure_at: erasureAt.toISOString() };
  }

  /** Closes another user's account, which administrators can reopen until it is erased; `now` erases it immediately. */
  async closeOther(me: Caller, id: string, now: boolean): Promise<void> {
    await this.users.lockForDeletion(me, id);
    await this.leaveContainers(me, { userId: id });
    await this.users.close(me, id, this.erasureAt());
    if (now) await this.erasure.erase(id);
  }

  private erasureAt(): Date {
    return new Date(Date.now() + this.settings.ERASURE_DAYS * DAY_MS);
  }

  /** 400 for a container that the caller does not own, or a new owner who is not an active member there. */
  private async installHeirs(me: Caller, heirs: HeirsByContainer): Promise<void> {
    for (const [containerId, userId] of Object.entries(heirs).sort(([one], [other]) => (one < other ? -1 : 1))) {
      const found = await this.access.find(me, containerId);
      const heir = found && (await this.containers.memberOf(containerId, userId));
      if (heir === undefined) throw invalidInput([referenceNotFound('heirs')]);
      if (found?.kind === 'organization') {
        await this.memberships.grantOrganization(me, containerId, heir, { role: 'owner' });
      } else {
        await this.memberships.grantEndeavour(me, containerId, heir, { role: 'owner' });
      }
    }
  }

  /**
   * Archives containers without other members; 409 `last_owner` for containers whose other members would have no owner.
   */
  private async leaveContainers(me: Caller, { userId }: Pick<Caller, 'userId'>): Promise<void> {
    const owned = await this.containers.ownedAlone(userId);
    const missing = owned.filter(({ hasMembers }) => hasMembers);
    if (missing.length > 0) {
      const message = `${missing.length} containers would have no owner; name new owners in heirs.`;
      throw conflict('last_owner', message, { missing: missing.map(({ id, name }) => ({ id, name })) });
    }
    for (const container of owned) await this.archive(me, container);
  }

  private async archive(me: Caller, { id, kind, name }: OwnedAlone): Promise<void> {
    const archives = kind === 'organization' ? this.organizations : this.endeavours;
    const done = await archives.archive(me, id, { reason: REASON });
    // The work would go on in the name of an account that is closed by then.
    if (done instanceof AcceptedOperation)
      throw conflict(
        'too_large',
        `Archive ${name} (${id}) first; it is too large to archive together with the account.`,
        { id },
      );
  }
}
