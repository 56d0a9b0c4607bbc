import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { committing, conflict } from '../../../common/errors.js';
import { OwnerMails, type OwnedContainer } from '../../organizations/archive/owner-mails.js';
import type { Endeavour } from '../endeavour.entity.js';
import { TransferRequestsRepository } from './transfer-requests.repository.js';

/**
 * Keeps one of several owners of an organization from transferring its endeavour alone to an organization that no other
 * of them owns: the first request is stored, and the same request of another owner executes it.
 */
@Injectable()
export class TransferConsent {
  constructor(
    private readonly mails: OwnerMails,
    private readonly requests: TransferRequestsRepository,
  ) {}

  /** Whether another owner of the home, who is an admin of the target, has requested this transfer. */
  isRequestedByOther(me: Caller, endeavourId: string, targetId: string): Promise<boolean> {
    return this.requests.isRequestedByOther(me, endeavourId, targetId);
  }

  /** Stores the request and rejects with 409 unless the caller may transfer the locked endeavour alone. */
  async assertSecondOwner(me: Caller, row: Endeavour, home: string, target: OwnedContainer): Promise<void> {
    if (me.isAdmin || !(await this.requests.needsSecondOwner(me, home, target.id))) return;
    if (row.transferTo !== target.id || row.transferBy !== me.userId) {
      await this.requests.store(me, row.id, target.id);
      await this.mails.send(me, 'endeavour_transfer_requested', row, {
        target: target.name,
        target_id: target.id,
        path: `/api/v1/endeavours/${row.id}/transfer`,
      });
    }
    throw committing(
      conflict(
        'second_owner_required',
        'No other owner of the home organization owns that organization, so the transfer needs a second one of them: ' +
          'your request is kept, and is executed when another owner sends it too. All owners have been told by mail.',
      ),
    );
  }

  /** Removes the request, after the home has changed. */
  clear(endeavourId: string): Promise<void> {
    return this.requests.clear(endeavourId);
  }
}
