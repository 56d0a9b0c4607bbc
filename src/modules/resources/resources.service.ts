import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/changes/actor.js';
import { Writes } from '../../platform/changes/writes.js';
import { Resource } from './resource.entity.js';
import { resourceView } from './resource.view.js';

/** People, teams and other capacity that work is assigned to. */
@Injectable()
export class ResourcesService {
  constructor(private readonly writes: Writes) {}

  /** Makes the resource that stands for a user; the user's own row follows in the same transaction. */
  async embody(
    actor: Actor,
    { resourceId, userId, name, type }: { resourceId: string; userId: string; name: string; type: 'human' | 'agent' },
  ): Promise<void> {
    await this.writes.create(actor, resourceView, Resource, {
      row: { id: resourceId, name, type, userId, createdBy: resourceId },
      place: { ownerUserId: userId },
      title: name,
    });
  }
}
