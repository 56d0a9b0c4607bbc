import { Injectable } from '@nestjs/common';
import { newId } from '../../../common/ids.js';
import type { Representation } from '../../../platform/database/views/view.js';
import type { Actor } from '../../../platform/context/actor.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { CredentialChanges } from '../../users/credential-changes.js';
import { Identity } from './identity.entity.js';
import { identityView } from './identity.view.js';
import type { OfferedProvider } from '../identity-providers.repository.js';
import type { ProviderClaims } from '../provider.rules.js';

/** Links what a provider calls a person with the account, and tells the person. */
@Injectable()
export class IdentityLinks {
  constructor(
    private readonly changes: CredentialChanges,
    private readonly writer: ResourceWriter,
  ) {}

  /** `linkedByUser`: whether the person wants it, and not only the address says so. */
  async add(
    provider: OfferedProvider,
    { subject, email }: ProviderClaims,
    actor: Actor,
    linkedByUser: boolean,
  ): Promise<Representation> {
    const row = Object.assign(new Identity(), {
      id: newId('identity'),
      userId: actor.userId,
      providerId: provider.id,
      subject,
      email: email ?? null,
      linkedByUser,
      lastUsedAt: new Date(),
    });
    const place = { ownerUserId: actor.userId };
    const created = await this.writer.create(actor, identityView, Identity, { row, place, title: 'Identity' });
    await this.changes.tell(actor.userId, 'identity_linked', provider.name);
    return created;
  }
}
