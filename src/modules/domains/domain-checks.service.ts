import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { MembershipRows } from '../../access/memberships/membership-rows.js';
import { Database } from '../../platform/database/database.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { MailContents, type MailValues } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { AccountsRepository } from '../users/accounts.repository.js';
import { Domain } from './domain.entity.js';
import { DomainRecords, type RecordState } from './domain-records.js';
import { MAX_ABSENT_DAYS, verificationRecordOf } from './domain.rules.js';
import { domainView } from './domain.view.js';
import { DomainsRepository } from './domains.repository.js';

const EVERY_MS = 15 * 60_000;
const MOST_AT_ONCE = 100;
/** When a record is looked up again: a day after an answer, sooner without one. */
const HOURS = { found: 24, absent: 24, unknown: 1 } as const;
const KINDS = ['domain_record_absent', 'domain_proof_ended'] as const;

/**
 * Looks the records of proved domains up again every day. An answer without the record on seven days running ends the proof;
 * name servers that do not answer change nothing. Domains that an administrator confirmed are not looked up.
 */
@Injectable()
export class DomainChecks implements OnModuleInit {
  private readonly log = new Logger('Domains');

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly contents: MailContents,
    private readonly database: Database,
    private readonly domains: DomainsRepository,
    private readonly jobs: Jobs,
    private readonly members: MembershipRows,
    private readonly outbox: Outbox,
    private readonly records: DomainRecords,
    private readonly writer: ResourceWriter,
  ) {}

  onModuleInit(): void {
    this.jobs.every('domain_checks', EVERY_MS, () => this.checkDue());
    for (const kind of KINDS) this.contents.provide(kind, (data) => this.valuesOf(data));
  }

  private async checkDue(): Promise<void> {
    for (const { id, domain, token } of await this.domains.due(MOST_AT_ONCE)) {
      const state = await this.records.stateOf(domain, token);
      await this.database.transaction(() => this.settle(id, state));
    }
  }

  private async settle(id: string, state: RecordState): Promise<void> {
    const found = await this.domains.lockDue(id);
    if (found === undefined) return;
    const { row, organizationName } = found;
    const days = state === 'absent' ? row.absentDays + 1 : state === 'found' ? 0 : row.absentDays;
    if (days === row.absentDays) return this.domains.postpone(id, HOURS[state]);
    const isOver = days >= MAX_ABSENT_DAYS;
    const checkDueAt = isOver ? null : new Date(Date.now() + HOURS[state] * 3_600_000);
    await this.writer.patch(null, domainView, Domain, {
      current: row,
      changes: { absentDays: days, checkDueAt, ...(isOver && { provedAt: null }) },
      place: { organizationId: row.organizationId },
    });
    if (days > 0) await this.tell(row, organizationName, days);
    const line = { msg: 'a domain was looked up', domain: row.domain, organization_id: row.organizationId, days };
    this.database.afterCommit(() => this.log.warn(line));
  }

  /** Tells the owners, from the first day on. */
  private async tell({ organizationId, domain, token }: Domain, place: string, days: number): Promise<void> {
    const kind = days >= MAX_ABSENT_DAYS ? 'domain_proof_ended' : 'domain_record_absent';
    const left = String(MAX_ABSENT_DAYS - days);
    const owners = await this.members.ownersOf('organization', organizationId);
    await this.outbox.sendAll(
      owners.map(({ id, email, lang }) => ({
        kind,
        to: email,
        lang,
        data: { user_id: id, place, domain, record: verificationRecordOf(token), days: left },
        reference: organizationId,
      })),
    );
  }

  private async valuesOf({ user_id, ...values }: Record<string, unknown>): Promise<MailValues | undefined> {
    const owner = await this.accounts.owner(String(user_id));
    return owner && { ...(values as MailValues), name: owner.name };
  }
}
