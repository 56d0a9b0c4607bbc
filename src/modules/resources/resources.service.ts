import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/changes/actor.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import { Resource } from './resource.entity.js';
import { resourceView } from './resource.view.js';

/** People, teams and other capacity that work is assigned to. */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly database: Database,
    private readonly writes: Writes,
  ) {}

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

  /** Keeps the resource that stands for a user in step with its user's name and type. */
  async follow(actor: Actor, resourceId: string, changes: { name?: string; type?: 'human' | 'agent' }): Promise<void> {
    if (changes.name === undefined && changes.type === undefined) return;
    const resources = await this.database.repository(Resource);
    const current = await resources.findOneOrFail({ where: { id: resourceId }, lock: { mode: 'for_no_key_update' } });
    await this.writes.patch(actor, resourceView, Resource, {
      current,
      changes,
      place: { ownerUserId: current.userId },
      pointer: { title: changes.name },
    });
  }
}
