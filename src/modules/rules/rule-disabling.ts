import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { MessagesService } from '../messages/messages.service.js';
import { Rule } from './rule.entity.js';
import type { RuleDisabledReason } from './rule.rules.js';
import { ruleView } from './rule.view.js';
import { MOST_WAITING } from './rule-run.rules.js';
import { RuleRunsRepository } from './rule-runs.repository.js';
import { RulesRepository } from './rules.repository.js';

const INTERVAL_MS = 10_000;

/** The reasons for which rules are disabled while they run. */
type EndingReason = Exclude<RuleDisabledReason, 'imported'>;

const REASONS: Record<EndingReason, string> = {
  owner_left:
    'its owner is no longer an admin of the endeavour, or the access token that wrote it has ended. An admin who enables it becomes its owner',
  too_many_waiting: `${MOST_WAITING} runs were waiting`,
};

/** Disables rules that may no longer run, and tells their owners and the admins of the endeavour. */
@Injectable()
export class RuleDisabling implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly messages: MessagesService,
    private readonly repository: RulesRepository,
    private readonly runs: RuleRunsRepository,
    private readonly writer: ResourceWriter,
  ) {}

  onModuleInit(): void {
    this.jobs.every('rules', INTERVAL_MS, () => this.disableOrphans());
  }

  /** Disables the rule unless it is disabled already; its waiting runs are canceled. */
  async disable(id: string, reason: EndingReason): Promise<void> {
    await this.database.transaction(async () => {
      const rule = await this.repository.lockEnabled(id);
      if (rule !== undefined) await this.end(rule, reason);
    });
  }

  private async disableOrphans(): Promise<void> {
    for (const id of await this.repository.orphans()) {
      await this.database.transaction(async () => {
        const rule = await this.repository.lockEnabled(id);
        if (rule !== undefined && (await this.repository.isOrphan(id))) await this.end(rule, 'owner_left');
      });
    }
  }

  private async end(current: Rule, disabledReason: EndingReason): Promise<void> {
    const { id, endeavourId, ownerId, name } = current;
    const reason = REASONS[disabledReason];
    await this.runs.cancel(id, `The rule was disabled: ${reason}.`);
    await this.writer.patch(null, ruleView, Rule, {
      current,
      changes: { isEnabled: false, disabledReason },
      place: { endeavourId },
    });
    const admins = await this.repository.adminsOf(endeavourId);
    const recipients = [...new Set([ownerId, ...admins])];
    await this.messages.send(null, {
      recipients,
      subject: 'A rule was disabled',
      content: `The rule "${name}" was disabled: ${reason}. Events that occur while it is disabled do not trigger it.`,
      intent: 'alert',
      entityId: id,
    });
  }
}
