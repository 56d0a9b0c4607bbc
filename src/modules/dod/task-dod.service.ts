import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ChildLists } from '../../access/visibility/child-lists.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { rankOf } from '../../common/roles.js';
import { ChangedTasks } from '../tasks/changed-tasks.service.js';
import { OverridesService } from '../tasks/completion/overrides.service.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { checksOfTask } from './results/check.list.js';
import { failedOf } from './results/check.rules.js';
import { checkView } from './results/check.view.js';
import { ChecksService } from './results/checks.service.js';
import type { OverrideDto } from './task-dod.dto.js';

/** Checks a task, and sets and lifts the override of its policy. */
@Injectable()
export class TaskDodService {
  constructor(
    private readonly access: Access,
    private readonly changedTasks: ChangedTasks,
    private readonly checks: ChecksService,
    private readonly innerLists: ChildLists,
    private readonly overrides: OverridesService,
    private readonly tasks: TasksRepository,
  ) {}

  async check(me: Caller, id: string): Promise<Representation> {
    const resource = await this.access.authorize(me, 'tasks_dod_check_run', id);
    this.access.assertWritable(resource);
    const task = await this.tasks.row(id);
    if (task.dod_result === 'changed' && resource.rank >= rankOf('member')) return this.checkChanged(me, id);
    return this.checks.store(me, await this.checks.check(me, task));
  }

  /** Checks a done task whose approved content has changed: the check of a member that is met confirms the task. */
  private async checkChanged(me: Caller, id: string): Promise<Representation> {
    const locked = await this.changedTasks.lock(me, id);
    const outcome = await this.checks.check(me, await this.tasks.row(id));
    const check = await this.checks.store(me, outcome);
    const { result, endorsed } = outcome.verdict;
    if (result === 'met' && endorsed) await this.changedTasks.confirm(me, locked, check.id);
    return check;
  }

  /** Lists all stored checks of the task, including the checks of rejected transitions. */
  list(me: Caller, id: string, query: RawQuery): Promise<Page> {
    return this.innerLists.page(me, id, query, checksOfTask);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, checkView, id, { fields });
  }

  async override(me: Caller, id: string, { reason }: OverrideDto): Promise<object> {
    const locked = await this.overrides.lock(me, 'tasks_dod_override_set', id);
    this.access.assertWritable(locked);
    const { verdict } = await this.checks.check(me, await this.tasks.row(id));
    const at = new Date();
    await this.overrides.set(me, locked, reason, at);
    return {
      task_id: id,
      status: 'overridden',
      reason,
      by: me.resourceId,
      at: at.toISOString(),
      conditions_bypassed: failedOf(verdict.conditions),
    };
  }

  async lift(me: Caller, id: string): Promise<object> {
    const locked = await this.overrides.lock(me, 'tasks_dod_override_remove', id);
    this.access.assertWritable(locked);
    await this.overrides.lift(me, locked);
    return { task_id: id, status: 'lifted' };
  }
}
