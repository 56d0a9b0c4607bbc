import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { invalidInput, referenceNotFound } from '../../../common/errors.js';
import { kindOf } from '../../../common/ids.js';
import type { GoalDto } from '../endeavour.dto.js';
import type { Endeavour } from '../endeavour.entity.js';
import { EndeavoursRepository } from '../endeavours.repository.js';
import type { Goal } from './goals.js';

/** Decides which links of goals a caller sees and can set. */
@Injectable()
export class GoalLinks {
  constructor(private readonly endeavours: EndeavoursRepository) {}

  /** The goals whose link the caller does not see. */
  async hiddenFrom(me: Caller, { goals }: Endeavour): Promise<Goal[]> {
    const linked = goals.filter(({ linked_entity_id: id }) => id !== null);
    if (linked.length === 0) return [];
    const ids = linked.map(({ linked_entity_id: id }) => String(id));
    const visible = await this.endeavours.visibleOf(me, ids);
    return linked.filter((_, index) => !visible.has(ids[index]));
  }

  /** Rejects links of goals to entities that are not visible to the caller or are of another type. */
  async assertVisible(me: Caller, goals: GoalDto[] = []): Promise<void> {
    const linkedIds = goals.map(({ linked_entity_id }) => linked_entity_id).filter((id) => id !== undefined);
    if (linkedIds.length === 0) return;
    const visible = await this.endeavours.visibleOf(me, linkedIds);
    const errors = goals.flatMap(({ linked_entity_id: id, linked_entity_type: type }, index) => {
      const isValid = id === undefined || (visible.has(id) && (type ?? kindOf(id)) === kindOf(id));
      return isValid ? [] : [referenceNotFound(`goals.${index}.linked_entity_id`)];
    });
    if (errors.length > 0) throw invalidInput(errors);
  }
}
