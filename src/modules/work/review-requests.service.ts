import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { conflict, invalidInput } from '../../common/errors.js';
import { EventRecorder } from '../../platform/events/event-recorder.js';
import { AssignmentsService } from '../resources/assignments/assignments.service.js';
import { ResourcesRepository } from '../resources/resources.repository.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import type { RequestReviewDto } from './review-request.dto.js';
import { ReviewRequestsRepository } from './review-requests.repository.js';

const OPEN = ['planned', 'active'];

/** Lets members ask others for a verdict on a task. */
@Injectable()
export class ReviewRequestsService {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly repository: ReviewRequestsRepository,
    private readonly resources: ResourcesRepository,
    private readonly tasks: TasksRepository,
    private readonly events: EventRecorder,
  ) {}

  /** Requests verdicts and notifies the reviewers, except those with an unanswered request. */
  async ask(me: Caller, taskId: string, { resource_ids }: RequestReviewDto): Promise<object> {
    const task = await this.access.authorize(me, 'tasks_review_requests_create', taskId);
    const reviewerIds = await this.resolve(me, String(task.place.endeavourId), resource_ids);
    this.access.assertWritable(task);
    const locked = await this.tasks.lock(taskId);
    if (locked === undefined || !OPEN.includes(locked.status))
      throw conflict('not_active', 'Verdicts can be requested only on tasks that are planned or active.');
    const newlyAsked = await this.repository.ask(me, taskId, reviewerIds);
    if (newlyAsked.length > 0) {
      await this.events.record(me, 'task', taskId, task.place, {
        type: 'task.review_requested',
        data: { resource_ids: newlyAsked },
        audience: newlyAsked,
      });
    }
    return { task_id: taskId, resource_ids: reviewerIds };
  }

  /** The resource ids of the reviewers; rejects all that cannot give a verdict at once. */
  private async resolve(me: Caller, endeavourId: string, refs: readonly string[]): Promise<string[]> {
    const fields = refs.map((ref, i) => [`resource_ids.${i}`, ref] as const);
    const resolved = await this.assignments.resolve(me, endeavourId, Object.fromEntries(fields));
    const ids = fields.map(([field]) => resolved[field]);
    const notReviewers = await this.resources.neitherPeopleNorTeams(ids);
    const errors = fields.flatMap(([field], i) =>
      notReviewers.has(ids[i])
        ? [{ field, code: 'invalid_value' as const, message: `${field} must be a person or a team.` }]
        : [],
    );
    if (errors.length > 0) throw invalidInput(errors);
    return [...new Set(ids)];
  }
}
