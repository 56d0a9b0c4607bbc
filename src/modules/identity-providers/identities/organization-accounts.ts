import { Injectable } from '@nestjs/common';
import { IdentitiesRepository } from './identities.repository.js';

/** Remembers which organization made which account. */
@Injectable()
export class OrganizationAccounts {
  constructor(private readonly identities: IdentitiesRepository) {}

  /** Records that the organization has just made the account. */
  record(userId: string, organizationId: string): Promise<void> {
    return this.identities.recordMaker(userId, organizationId);
  }

  isMadeBy(userId: string, organizationId: string): Promise<boolean> {
    return this.identities.isMadeBy(userId, organizationId);
  }
}
