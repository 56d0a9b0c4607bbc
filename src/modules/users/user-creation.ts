import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { Actor } from '../../platform/context/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/views/view.js';
import { ResourcesService } from '../resources/resources.service.js';
import { EmailUniqueness } from './email-uniqueness.js';
import { User } from './user.entity.js';
import { userView } from './user.view.js';

/** The properties of a new user; all others have defaults. */
export type NewUser = Pick<User, 'email' | 'name'> & Partial<User>;

/** Creates users, each with exactly one resource in the same transaction (spec 02). */
@Injectable()
export class UserCreation {
  constructor(
    private readonly emailUniqueness: EmailUniqueness,
    private readonly database: Database,
    private readonly writer: ResourceWriter,
    private readonly resources: ResourcesService,
    private readonly settings: Settings,
  ) {}

  /** Creates the user. `actor` is null for a registration, in which the new user is the actor. */
  create(actor: Actor | null, user: NewUser): Promise<Representation> {
    return this.database.transaction(async () => {
      const userId = newId('user');
      const resourceId = newId('resource');
      const self: Actor = { userId, resourceId, name: user.name };
      await this.resources.createForUser(actor ?? self, {
        resourceId,
        userId,
        name: user.name,
        type: user.userType ?? 'human',
      });
      const written = this.writer.create(actor ?? self, userView, User, {
        row: { tier: this.settings.DEFAULT_TIER, ...user, id: userId, resourceId },
        place: { ownerUserId: userId },
        title: user.name,
        // Its event is written afterwards, so that the audit finds the organization that an agent belongs to.
        ...(user.isManaged && { childRows: async () => undefined }),
      });
      return this.emailUniqueness.translateConflict(written);
    });
  }
}
