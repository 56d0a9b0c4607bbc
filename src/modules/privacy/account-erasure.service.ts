import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ContainerLocks } from '../../access/visibility/container-locks.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { AuditTrail } from '../../platform/audit/audit-trail.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { Database } from '../../platform/database/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { EmailChangesRepository } from '../auth/email-changes/email-changes.repository.js';
import { SignUpsRepository } from '../auth/sign-ups.repository.js';
import { PendingSignIns } from '../auth/pending-sign-ins.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { InvitationsRepository } from '../invitations/invitations.repository.js';
import { OperationsService } from '../operations/operations.service.js';
import { TeamsService } from '../resources/teams/teams.service.js';
import { CodesRepository } from '../users/codes.repository.js';
import { UsersRepository } from '../users/users.repository.js';
import { UsersService } from '../users/users.service.js';
import { mailName } from '../../platform/mail/mail-name.js';
import { ErasureRepository, type Person } from './erasure.repository.js';

const HOUR_MS = 3_600_000;

/** The personal properties in events about users and their resources. */
export const PERSONAL = [
  'name',
  'email',
  'lang',
  'timezone',
  'email_copy',
  'external_id',
  'metadata',
  'login_count',
  'last_active_at',
  'capacity_model',
  'capacity_value',
  'skills',
];

/** The properties of views of which only their person knows. */
const VIEW = ['name', 'query', 'columns', 'group_by'];

/**
 * Erases people whose accounts are closed: removes their personal data from all tables and events and ends their roles.
 * Their contributions stay, under the name "Deleted user".
 */
@Injectable()
export class AccountErasureService implements OnModuleInit {
  private readonly log = new Logger('Erasure');

  constructor(
    private readonly accounts: UsersRepository,
    private readonly audit: AuditTrail,
    private readonly codes: CodesRepository,
    private readonly containerLocks: ContainerLocks,
    private readonly credentials: CredentialsRepository,
    private readonly database: Database,
    private readonly emailChanges: EmailChangesRepository,
    private readonly eventEraser: EventEraser,
    private readonly invitations: InvitationsRepository,
    private readonly jobs: Jobs,
    private readonly memberships: Memberships,
    private readonly operations: OperationsService,
    private readonly pendingSignIns: PendingSignIns,
    private readonly repository: ErasureRepository,
    private readonly signUps: SignUpsRepository,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
  ) {}

  onModuleInit(): void {
    this.jobs.every('account_erasure', HOUR_MS, () => this.eraseDue());
  }

  /**
   * Erases a closed account, which can then no longer be reopened. The calling code has locked the containers of the
   * person, and then the account.
   */
  async erase(id: string): Promise<void> {
    const { resourceId, email, name } = await this.users.erase(id);
    const self = { userId: id, resourceId, name };
    await this.teams.endAllOf(self, resourceId);
    await this.memberships.endAll({ ...self, isAdmin: true }, self);
    const names = [...new Set([name, ...(await this.repository.namesOf(id))])];
    await this.eventEraser.unlocked(async () => {
      await this.repository.eraseNamesInMessages({ ...self, email }, [
        ...names,
        ...names.map((each) => mailName(each)),
      ]);
      await this.eventEraser.blankEvents([id, resourceId], PERSONAL);
      await this.eventEraser.blankEvents(await this.repository.eraseOwnViews(id), VIEW);
    });
    await this.erasePersonalData({ ...self, email });
    await this.audit.erase(id, email);
    this.database.afterCommit(() => this.log.log(`${id} was erased`));
  }

  /**
   * Deletes identifying data in the tables of features. Locks changes of address and sign-ups before their codes, like
   * all writers.
   */
  private async erasePersonalData(person: Person): Promise<void> {
    const { userId, email } = person;
    await this.emailChanges.end(userId);
    await this.signUps.lockAll(email);
    await this.signUps.deleteAll(email);
    await this.codes.deleteOf(userId, email);
    await this.pendingSignIns.endAll(userId);
    await this.credentials.deleteAll(userId);
    await this.invitations.anonymize(userId, email);
    await this.operations.eraseOrigins(userId);
    await this.repository.erasePersonalData(person);
  }

  /** Erases the accounts that are due, each in its own transaction; a failure does not affect the others. */
  private async eraseDue(): Promise<void> {
    let ids = await this.accounts.dueForErasure('');
    while (ids.length > 0) {
      for (const id of ids) await this.eraseIfDue(id);
      ids = await this.accounts.dueForErasure(ids[ids.length - 1]);
    }
  }

  private async eraseIfDue(id: string): Promise<void> {
    const erased = this.database.transaction(async () => {
      await this.containerLocks.lockAllOf(id);
      if (await this.accounts.lockDueForErasure(id)) await this.erase(id);
    });
    await erased.catch((error: unknown) => this.log.error(`${id} could not be erased: ${String(error)}`));
  }
}
