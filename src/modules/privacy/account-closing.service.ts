import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ContainerLocks } from '../../access/visibility/container-locks.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { conflict, invalidInput, referenceNotFound } from '../../common/errors.js';
import { isId } from '../../common/ids.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { AcceptedOperation } from '../../platform/http/responses/accepted-operation.js';
import { CurrentPassword } from '../auth/current-password.js';
import { EndeavourArchiveService } from '../endeavours/archive/endeavour-archive.service.js';
import { OrganizationArchiveService } from '../organizations/archive/organization-archive.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { UsersService } from '../users/users.service.js';
import { AccountErasureService } from './account-erasure.service.js';
import type { HeirsByContainer } from './heirs.field.js';
import type { DeleteAccountDto } from './leaving.dto.js';
import { OwnedContainersRepository, type SolelyOwned } from './owned-containers.repository.js';

const DAY_MS = 86_400_000;
const REASON = 'The account of the last owner was closed.';

/** An account that was closed. */
export interface Closed {
  status: 'inactive';
  /** The time at which the account is erased. */
  erasure_at: string;
}

/** Closes accounts at the request of their users or of administrators. */
@Injectable()
export class AccountClosingService {
  constructor(
    private readonly access: Access,
    private readonly containerLocks: ContainerLocks,
    private readonly containers: OwnedContainersRepository,
    private readonly current: CurrentPassword,
    private readonly database: Database,
    private readonly endeavours: EndeavourArchiveService,
    private readonly erasure: AccountErasureService,
    private readonly memberships: Memberships,
    private readonly organizations: OrganizationArchiveService,
    private readonly settings: Settings,
    private readonly tokens: TokensService,
    private readonly users: UsersService,
  ) {}

  /** Closes the caller's own account; signing in reopens it until it is erased, without its access tokens. */
  async closeOwn(me: Caller, { current_password: password, heirs = {} }: DeleteAccountDto): Promise<Closed> {
    await this.current.confirm(me, password);
    const erasureAt = this.erasureAt();
    await this.database.transaction(async () => {
      await this.assertVisible(me, Object.keys(heirs));
      await this.lockContainers(me, Object.keys(heirs));
      await this.appointOwners(me, heirs);
      await this.leaveContainers(me, me);
      await this.users.close(me, me.userId, erasureAt);
      await this.tokens.endAll(me, me.userId);
    });
    return { status: 'inactive', erasure_at: erasureAt.toISOString() };
  }

  /** Closes another user's account, which administrators can reopen until it is erased; `now` erases it immediately. */
  async closeOther(me: Caller, id: string, now: boolean): Promise<void> {
    await this.lockContainers({ userId: id }, []);
    await this.users.lockForDeletion(me, id);
    await this.leaveContainers(me, { userId: id });
    await this.users.close(me, id, this.erasureAt());
    await this.tokens.endAll(me, id);
    if (now) await this.erasure.erase(id);
  }

  private erasureAt(): Date {
    return new Date(Date.now() + this.settings.ERASURE_DAYS * DAY_MS);
  }

  private async assertVisible(me: Caller, containerIds: readonly string[]): Promise<void> {
    for (const id of containerIds) {
      if ((await this.access.find(me, id)) === undefined) throw invalidInput([referenceNotFound('heirs')]);
    }
  }

  /**
   * Locks the containers in which the user has a role or appoints an owner, so that two owners who leave concurrently
   * see each other, and no member leaves who becomes an owner. An endeavour can have its members through organizations,
   * which are locked too. Containers without other people are locked for the archiving that follows.
   */
  private async lockContainers({ userId }: Pick<Caller, 'userId'>, appointedIds: readonly string[]): Promise<void> {
    const archived = (await this.containers.solelyOwned(userId)).filter(({ hasMembers }) => !hasMembers);
    const archivedIds = archived.map(({ id }) => id);
    await this.containerLocks.lock(
      [
        ...(await this.containerLocks.changingWith(userId)),
        ...appointedIds,
        ...(await this.containers.linkedTo(appointedIds.filter((id) => isId('endeavour', id)))),
      ],
      new Set([
        ...archivedIds,
        ...(await this.containers.linkedTo(archivedIds.filter((id) => isId('organization', id)))),
      ]),
    );
  }

  /** Makes members owners of containers, which are locked; 400 if one is not an active person among the members. */
  private async appointOwners(me: Caller, heirs: HeirsByContainer): Promise<void> {
    for (const [containerId, userId] of Object.entries(heirs)) {
      const newOwner = await this.containers.memberOf(containerId, userId);
      if (newOwner === undefined) throw invalidInput([referenceNotFound('heirs')]);
      if (isId('organization', containerId)) {
        await this.memberships.grantOrganization(me, containerId, newOwner, { role: 'owner' });
      } else {
        await this.memberships.grantEndeavour(me, containerId, newOwner, { role: 'owner' });
      }
    }
  }

  /**
   * Archives containers without other people; 409 `last_owner` for containers whose other members would have no owner.
   */
  private async leaveContainers(me: Caller, { userId }: Pick<Caller, 'userId'>): Promise<void> {
    const owned = await this.containers.solelyOwned(userId);
    const withMembers = owned.filter(({ hasMembers }) => hasMembers);
    if (withMembers.length > 0) {
      const message = `${withMembers.length} containers would have no owner; name new owners in heirs.`;
      throw conflict('last_owner', message, { missing: withMembers.map(({ id, name }) => ({ id, name })) });
    }
    for (const container of owned) await this.archive(me, container);
  }

  private async archive(me: Caller, { id, kind, name }: SolelyOwned): Promise<void> {
    const archives = kind === 'organization' ? this.organizations : this.endeavours;
    const result = await archives.archiveWithoutIfMatch(me, id, REASON);
    // An operation would continue on behalf of an account that is already closed.
    if (result instanceof AcceptedOperation)
      throw conflict(
        'too_large',
        `Archive ${name} (${id}) first; it is too large to archive together with the account.`,
        { id },
      );
  }
}
