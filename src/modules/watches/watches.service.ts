import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import type { OperationId } from '../../access/permissions/permissions.js';
import { isId } from '../../common/ids.js';
import { WATCHED_KINDS } from './watched-kinds.js';
import { WatchesRepository } from './watches.repository.js';

/** Whether the caller watches an entity. */
export interface WatchState {
  entity_id: string;
  watching: boolean;
}

/** Lets people watch tasks, demands and endeavours: what happens to them then concerns these people (`about=me`). */
@Injectable()
export class WatchesService {
  constructor(
    private readonly access: Access,
    private readonly repository: WatchesRepository,
  ) {}

  async set(me: Caller, operation: OperationId, id: string, watching: boolean): Promise<WatchState> {
    await this.access.authorize(me, operation, id);
    await this.repository.set(id, me.resourceId, watching);
    return { entity_id: id, watching };
  }

  /** Those who take part in a discussion watch what it is about, unless they have switched that off. */
  async begin(entityId: string, resourceIds: readonly string[]): Promise<void> {
    if (resourceIds.length === 0 || !WATCHED_KINDS.some((kind) => isId(kind, entityId))) return;
    await this.repository.begin(entityId, resourceIds);
  }
}
