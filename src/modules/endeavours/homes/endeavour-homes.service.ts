import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import type { OperationId } from '../../../access/permissions/permissions.js';
import { forbidden } from '../../../common/errors.js';
import { EndeavoursRepository, type HomeState } from '../endeavours.repository.js';

/** Finds the home organizations of endeavours, and checks the ownership of endeavours. */
@Injectable()
export class EndeavourHomesService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursRepository,
  ) {}

  /** Returns the id of the home organization; null if the endeavour has none. */
  async homeOf(endeavourId: string): Promise<string | null> {
    return (await this.stateOf(endeavourId))?.id ?? null;
  }

  stateOf(endeavourId: string): Promise<HomeState | undefined> {
    return this.endeavours.homeOf(endeavourId);
  }

  /** 403 unless the caller owns the home organization or, without one, the endeavour itself, or is an administrator. */
  async assertMayErase(me: Caller, operation: OperationId, endeavourId: string): Promise<void> {
    await this.access.authorizeWithoutLock(me, operation, endeavourId);
    if (me.isAdmin) return;
    const ownership = await this.endeavours.ownership(me, endeavourId);
    if (ownership?.isOwner === true) return;
    throw forbidden(
      ownership?.hasHome === true
        ? 'the owner role in the home organization of this endeavour'
        : 'the owner role in this endeavour',
    );
  }
}
