import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { notFound } from '../../common/errors.js';
import { Page, jsonTexts } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { failedOf } from './results/check.rules.js';
import { ChecksService, stateOf, type EvaluatedTask } from './results/checks.service.js';
import type { ConditionResult } from './conditions/condition.js';
import { EndeavourDodRepository, type MemberWithoutEndorsement } from './endeavour-dod.repository.js';
import type { PolicyView } from './policies/policy.view.js';
import { activeTaskList } from './results/unmet-task.list.js';

/** The policy of an endeavour, its endorsements, and how many tasks comply with it. */
export interface DodStatus {
  endeavour_id: string;
  policy: PolicyView | null;
  endorsements: readonly object[];
  endorsement_counts: { active: number; superseded: number };
  members_without_endorsement: MemberWithoutEndorsement[];
  more_without_endorsement: number;
  tasks: { met: number; not_met: number; overridden: number };
  truncated: boolean;
}

/** A task that does not meet a policy, and its unmet conditions. */
export interface UnmetTask {
  id: string;
  title: string;
  conditions: ConditionResult[];
}

/** The effects of assigning a policy. */
interface PolicyImpact {
  failing_tasks: UnmetTask[];
  lapsing_endorsements: string[];
  truncated: boolean;
}

/** The texts that a preview collects, in UTF-16 units: those of a policy are repeated for each task. */
const MAX_PREVIEWED = 4_000_000;

/** Reports how the tasks and members of an endeavour comply with a policy. */
@Injectable()
export class EndeavourDodService {
  constructor(
    private readonly access: Access,
    private readonly checks: ChecksService,
    private readonly listing: Listing,
    private readonly repository: EndeavourDodRepository,
  ) {}

  async status(me: Caller, id: string): Promise<DodStatus> {
    await this.assertVisible(me, id);
    const policy = await this.repository.policyOf(me, id);
    const { people, more } =
      policy === null ? { people: [], more: 0 } : await this.repository.membersWithoutEndorsement(id);
    return {
      endeavour_id: id,
      policy,
      endorsements: await this.repository.endorsements(me, id),
      endorsement_counts: await this.repository.endorsementCounts(id),
      members_without_endorsement: people,
      more_without_endorsement: more,
      ...(await this.count(id, policy)),
    };
  }

  /** Evaluates one page of the active tasks, and returns the tasks that do not meet the policy and have no override. */
  async unmet(me: Caller, id: string, query: RawQuery): Promise<Page> {
    const request = this.listing.read(activeTaskList(id), query);
    await this.assertVisible(me, id);
    const policy = await this.repository.policyOf(me, id);
    // Counts and exports would require the evaluation of all tasks.
    const pageOnly = { ...request, count: false, format: undefined };
    const page = await this.listing.pageOf(me, activeTaskList(id), pageOnly);
    const ids = page.items.map((item) => (JSON.parse(item) as { id: string }).id);
    const unmet = new UnmetTasks();
    if (policy !== null) await this.checks.evaluateEach(ids, policy, (evaluated) => unmet.add(evaluated));
    const sorted = unmet.tasks.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    return new Page(jsonTexts(sorted), page.meta);
  }

  /** Returns the open tasks that would not meet that policy, and the endorsements that would end. */
  async impact(endeavourId: string, policyId: string): Promise<PolicyImpact> {
    const policy = await this.repository.rulesOf(policyId);
    const unmet = new UnmetTasks(MAX_PREVIEWED);
    const statuses = ['planned', 'active'] as const;
    const { truncated } = await this.checks.evaluateAll(endeavourId, statuses, policy, (evaluated) =>
      unmet.add(evaluated),
    );
    return {
      failing_tasks: unmet.tasks,
      lapsing_endorsements: await this.repository.endorsementsOfOtherPolicies(endeavourId, policyId),
      truncated: truncated || unmet.isTruncated,
    };
  }

  private async assertVisible(me: Caller, id: string): Promise<void> {
    if ((await this.access.find(me, id)) === undefined) throw notFound();
  }

  private async count(endeavourId: string, policy: PolicyView | null): Promise<Pick<DodStatus, 'tasks' | 'truncated'>> {
    const tasks = { met: 0, not_met: 0, overridden: 0 };
    if (policy === null) return { tasks, truncated: false };
    const { truncated } = await this.checks.evaluateAll(endeavourId, ['active'], policy, (evaluated) => {
      tasks[stateOf(evaluated)] += 1;
    });
    return { tasks, truncated };
  }
}

/** Collects the tasks that do not meet the policy and have no override, until their texts are longer than `maxLength`. */
class UnmetTasks {
  readonly tasks: UnmetTask[] = [];
  isTruncated = false;
  private length = 0;

  constructor(private readonly maxLength = Infinity) {}

  add(evaluated: EvaluatedTask): void {
    const { task, evaluation } = evaluated;
    if (stateOf(evaluated) !== 'not_met') return;
    if (this.length > this.maxLength) {
      this.isTruncated = true;
      return;
    }
    const conditions = failedOf(evaluation.results);
    this.tasks.push({ id: task.id, title: String(task.title), conditions });
    for (const { label, detail, hint } of conditions) this.length += label.length + detail.length + (hint?.length ?? 0);
  }
}
