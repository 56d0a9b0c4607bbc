import { Injectable } from '@nestjs/common';
import { conflict, invalidInput, referenceNotFound } from '../../../common/errors.js';
import { GoalsRepository } from './goals.repository.js';
import type { Goal } from './goals.js';

/** Decides which goals tasks and demands can serve, and which goals can be removed. */
@Injectable()
export class GoalMembership {
  constructor(private readonly repository: GoalsRepository) {}

  /** The goals of the endeavour, with their links to entities that the caller may not see. */
  of(endeavourId: string): Promise<Goal[]> {
    return this.repository.of(endeavourId);
  }

  /**
   * Rejects a goal that is not one of the endeavour of the task or demand. It is one until the transaction ends, unless
   * `isLocked` is false.
   */
  async assertTakes(
    id: string | null | undefined,
    endeavourId: string,
    { isLocked = true }: { isLocked?: boolean } = {},
  ): Promise<void> {
    if (typeof id !== 'string' || (await this.repository.isOf(endeavourId, id, { isLocked }))) return;
    throw invalidInput([referenceNotFound('goal_id')]);
  }

  /** Rejects the removal of goals that tasks or demands serve. */
  async assertUnserved(removed: readonly string[]): Promise<void> {
    const count = removed.length === 0 ? 0 : await this.repository.countMembers(removed);
    if (count === 0) return;
    const message = `${count} tasks and demands have goals that would go; give them another goal_id, or null, first.`;
    throw conflict('in_use', message, { count });
  }
}
