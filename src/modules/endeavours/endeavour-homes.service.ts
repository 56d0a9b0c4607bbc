import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import type { OperationId } from '../../access/permissions.js';
import { forbidden } from '../../common/errors.js';
import { EndeavoursRepository, type HomeStanding } from './endeavours.repository.js';

/** Determines the owners of endeavours: their home organization, or their direct owners without one. */
@Injectable()
export class EndeavourHomesService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursRepository,
  ) {}

  /** The id of the home organization; null if there is none. */
  async of(endeavourId: string): Promise<string | null> {
    return (await this.standingOf(endeavourId))?.id ?? null;
  }

  standingOf(endeavourId: string): Promise<HomeStanding | undefined> {
    return this.endeavours.homeStandingOf(endeavourId);
  }

  /** Refuses all but owners of the home, direct owners of an endeavour without one, and administrators. */
  async assertMayErase(me: Caller, operation: OperationId, endeavourId: string): Promise<void> {
    await this.access.authorizeWithoutLock(me, operation, endeavourId);
    if (me.isAdmin) return;
    const found = await this.endeavours.ownership(me, endeavourId);
    if (found?.isOwner === true) return;
    throw forbidden(
      found?.hasHome === true
        ? 'the owner role in the home organization of this endeavour'
        : 'the owner role in this endeavour',
    );
  }
}
