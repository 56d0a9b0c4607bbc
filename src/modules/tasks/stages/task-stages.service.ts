import { Injectable } from '@nestjs/common';
import type { AuthorizedResource } from '../../../access/authorized-resource.js';
import { conflict, invalidField } from '../../../common/errors.js';
import { rankOf } from '../../../common/roles.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { findStage, stageIn, type Stage } from '../../endeavours/stages/stages.js';
import { loadOnce, type PatchableTask } from '../patchable-task.js';
import type { UpdateTaskDto } from '../task.dto.js';
import type { Task } from '../task.entity.js';
import { TaskStagesRepository } from './task-stages.repository.js';

type Stages = readonly Stage[] | null;

/** What a patch does to the stage of a task. */
interface StageChoice {
  /** The patch with the status of the stage that it names. */
  dto: UpdateTaskDto;
  /** The new stage, if it is another one. */
  changes: Pick<Task, 'stage'>;
  /** Rejects the change if the stage that the patch names is full. */
  enter: () => Promise<void>;
}

/** The parts of an endeavour that decide who meets the limit of a stage. */
type Entered = Pick<AuthorizedResource, 'id' | 'rank'>;

const takesEach = (): Promise<void> => Promise.resolve();

/** Decides in which stages of their endeavours tasks are. The database keeps each in one of its status, also without this. */
@Injectable()
export class TaskStages {
  constructor(
    private readonly endeavours: EndeavoursService,
    private readonly repository: TaskStagesRepository,
  ) {}

  /** The patch with the status that it probably leads to, by which the task is locked; nothing is refused yet. */
  async expected(id: string, dto: UpdateTaskDto): Promise<UpdateTaskDto> {
    const { stage: named, status, endeavour_id: endeavourId } = dto;
    if (named === undefined || status !== undefined) return dto;
    const stages =
      endeavourId === undefined ? await this.repository.stagesOfTask(id) : await this.endeavours.stagesOf(endeavourId);
    return Object.assign({}, dto, { status: findStage(stages, named)?.status });
  }

  /** Decides the stage of a task that a patch leaves in the endeavour, with that rank of the caller there. */
  async choose(task: PatchableTask, dto: UpdateTaskDto, endeavour: Entered): Promise<StageChoice> {
    const { row } = task;
    const isMoved = endeavour.id !== row.endeavourId;
    if (dto.stage !== undefined) return this.named(task, dto, dto.stage, { ...endeavour, isMoved });
    const status = dto.status ?? row.status;
    if (isMoved) return { dto, changes: await this.takenAlong(task, status, endeavour.id), enter: takesEach };
    if (status === row.status) return { dto, changes: {}, enter: takesEach };
    const stages = await this.stagesOf(task, row.endeavourId);
    const changes = stages === null ? {} : { stage: stageIn(stages, status, null)?.id ?? null };
    return { dto, changes, enter: takesEach };
  }

  /** The id of the stage of a new task, which is planned; undefined for the first one. Rejects one that is full. */
  async ofNew(named: string | undefined, endeavour: Entered): Promise<string | undefined> {
    if (named === undefined) return undefined;
    const stages = await this.endeavours.stagesOf(endeavour.id);
    const stage = findOrReject(stages, named);
    if (stage.status !== 'planned') {
      throw invalidField('stage', 'invalid_value', `stage must be planned, and ${stage.name} is ${stage.status}.`);
    }
    await this.assertRoom({}, stages, stage, endeavour);
    return stage.id;
  }

  /**
   * The ids of the stages of imported tasks, which meet no limit; null for the first one of the status, also where the
   * endeavour has no such stage.
   */
  async ofImported(
    endeavourId: string,
    tasks: readonly { status: string; named: string | undefined }[],
  ): Promise<(string | null)[]> {
    if (tasks.every(({ named }) => named === undefined)) return tasks.map(() => null);
    const stages = await this.endeavours.stagesOf(endeavourId);
    return tasks.map(({ status, named }) => {
      const stage = named === undefined ? undefined : findStage(stages, named);
      return stage?.status === status ? stage.id : null;
    });
  }

  /** A patch of an import, which names a stage besides a status, without one that the endeavour of the task does not have. */
  async withUsable(id: string, dto: UpdateTaskDto): Promise<UpdateTaskDto> {
    const { stage: named, ...others } = dto;
    if (named === undefined) return dto;
    const stage = findStage(await this.repository.stagesOfTask(id), named);
    return stage !== undefined && stage.status === dto.status ? dto : others;
  }

  private async named(
    task: PatchableTask,
    dto: UpdateTaskDto,
    named: string,
    { isMoved, ...endeavour }: Entered & { isMoved: boolean },
  ): Promise<StageChoice> {
    const { row } = task;
    // Read again while the task is locked, because the stages can have changed since its status was expected.
    const stages = await loadOnce(task, `named stages ${endeavour.id}`, () => this.endeavours.stagesOf(endeavour.id));
    const stage = findOrReject(stages, named);
    if (dto.status !== undefined && dto.status !== stage.status) {
      const message = `stage and status disagree: ${stage.name} is ${stage.status}.`;
      throw invalidField('stage', 'invalid_value', message);
    }
    const changed = Object.assign({}, dto, { status: stage.status });
    if (!isMoved && stageIn(stages, row.status, row.stage) === stage) {
      return { dto: changed, changes: {}, enter: takesEach };
    }
    return {
      dto: changed,
      changes: { stage: stage.id },
      enter: () => this.assertRoom(task, stages, stage, endeavour),
    };
  }

  /** The stage of a task that moves: the one with the same name and status, else the first one. */
  private async takenAlong(task: PatchableTask, status: string, endeavourId: string): Promise<Pick<Task, 'stage'>> {
    const { row } = task;
    if (row.stage == null) return {};
    const [former, stages] = [await this.stagesOf(task, row.endeavourId), await this.stagesOf(task, endeavourId)];
    const same = findStage(stages, stageIn(former, row.status, row.stage)?.name ?? '');
    return { stage: stageIn(stages, status, same?.id)?.id ?? null };
  }

  private stagesOf(task: PatchableTask, endeavourId: string): Promise<Stages> {
    if (task.stages !== undefined && endeavourId === task.row.endeavourId) return Promise.resolve(task.stages);
    return loadOnce(task, `stages ${endeavourId}`, () => this.endeavours.stagesOf(endeavourId));
  }

  /** 409 if the stage has as many tasks as its limit allows; endeavour admins fill it further. */
  private async assertRoom(
    { isPreview, entered }: Pick<PatchableTask, 'isPreview' | 'entered'>,
    stages: Stages,
    stage: Stage,
    { id: endeavourId, rank }: Entered,
  ): Promise<void> {
    const { wip_limit: limit } = stage;
    if (limit === null || rank >= rankOf('admin')) return;
    if (isPreview !== true) await this.repository.lockCount(stage.id);
    const isFirst = stageIn(stages, stage.status, null) === stage;
    const count = (await this.repository.countIn(endeavourId, stage, isFirst)) + (entered?.[stage.id] ?? 0);
    if (count < limit) return;
    throw conflict('wip_limit', `${stage.name} takes ${limit} tasks; only an endeavour admin can add another one.`, {
      stage: stage.id,
      limit,
    });
  }
}

/** Notes in a preview that a task would enter a stage, so that it counts for the tasks after it. */
export function noteEntry({ entered }: Pick<PatchableTask, 'entered'>, { stage }: Partial<Task>): void {
  if (entered !== undefined && typeof stage === 'string') entered[stage] = (entered[stage] ?? 0) + 1;
}

function findOrReject(stages: Stages, named: string): Stage {
  const stage = findStage(stages, named);
  if (stage !== undefined) return stage;
  throw invalidField('stage', 'reference_not_found', 'stage does not name a stage of the endeavour.');
}
