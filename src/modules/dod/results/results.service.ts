import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ChildLists } from '../../../access/visibility/child-lists.js';
import { fromWire } from '../../../common/texts/case.js';
import { forbidden } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { Condition, ResultFact, TaskFacts } from '../conditions/condition.js';
import { mayPost } from '../conditions/types.js';
import { DodResult } from './result.entity.js';
import { resultsOfTask } from './result.list.js';
import { resultView } from './result.view.js';
import { ResultsRepository } from './results.repository.js';
import type { PostResultDto } from '../task-dod.dto.js';

/** Accepts check results of other systems. */
@Injectable()
export class ResultsService {
  constructor(
    private readonly access: Access,
    private readonly innerLists: ChildLists,
    private readonly repository: ResultsRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, taskId: string, query: RawQuery): Promise<Page> {
    return this.innerLists.page(me, taskId, query, resultsOfTask);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, resultView, id, { fields });
  }

  /** Stores a result; 403 if the policy restricts who may post results of that name and the caller is not included. */
  async post(me: Caller, taskId: string, dto: PostResultDto): Promise<Representation> {
    const task = await this.access.authorize(me, 'tasks_dod_results_create', taskId);
    const endeavourId = String(task.place.endeavourId);
    const poster = await this.repository.posterIn(me, endeavourId);
    assertMayPost(me, dto.name, poster, await this.repository.conditionsOf(endeavourId));
    this.access.assertWritable(task);
    return this.writer.create(me, resultView, DodResult, {
      row: { id: newId('dod_result'), taskId, ...fromWire(dto), roles: poster.roles, postedBy: me.resourceId },
      place: task.place,
      parentId: taskId,
      title: dto.name,
    });
  }
}

function assertMayPost(
  me: Caller,
  name: string,
  poster: Pick<ResultFact, 'person_id' | 'roles'>,
  { conditions, namedResources }: Pick<TaskFacts, 'namedResources'> & { conditions: readonly Condition[] },
): void {
  const checks = conditions.filter(({ type, params }) => type === 'custom_check' && params.name === name);
  const posters = checks.map(({ params }) => (typeof params.by === 'string' ? params.by : undefined));
  const result = { posted_by: me.resourceId, ...poster };
  if (posters.length === 0 || posters.some((by) => mayPost(result, by, namedResources))) return;
  throw forbidden(`to be, or to hold the role, ${posters.join(' or ')}`);
}
