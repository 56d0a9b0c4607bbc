import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MembershipRows } from '../../../access/memberships/membership-rows.js';
import { isId } from '../../../common/ids.js';
import { actingPerson, type Actor } from '../../../platform/context/actor.js';
import { MailContents, type MailValues } from '../../../platform/mail/mail-contents.js';
import type { MailKind } from '../../../platform/mail/mail-kinds.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { UsersRepository } from '../../users/users.repository.js';

const KINDS = [
  'container_archived',
  'container_erasure',
  'container_erasure_stopped',
  'endeavour_transfer_requested',
  'endeavour_transferred',
  'endeavour_unlinked',
  'scim_token_expiring',
] as const satisfies readonly MailKind[];

/** The container of a mail. */
export interface OwnedContainer {
  id: string;
  name: string;
}

/** Tells all owners of a container by mail what one of them did to it, so that none of them acts unnoticed. */
@Injectable()
export class OwnerMails implements OnModuleInit {
  constructor(
    private readonly contents: MailContents,
    private readonly membershipRows: MembershipRows,
    private readonly outbox: Outbox,
    private readonly users: UsersRepository,
  ) {}

  onModuleInit(): void {
    for (const kind of KINDS) this.contents.provide(kind, (data) => this.valuesOf(data));
  }

  /** Call this before the owners change; without an actor, the service tells them. Unless it `outlives` the container, a mail is deleted with it. */
  async send(
    actor: Actor | null,
    kind: (typeof KINDS)[number],
    { id, name: place }: OwnedContainer,
    values: MailValues = {},
    { outlives = false } = {},
  ): Promise<void> {
    const owners = await this.membershipRows.ownersOf(isId('organization', id) ? 'organization' : 'endeavour', id);
    await this.outbox.sendAll(
      owners.map((owner) => ({
        kind,
        to: owner.email,
        lang: owner.lang,
        data: { ...values, place, user_id: owner.id, sender_id: actor?.userId ?? null },
        sender: actingPerson(actor),
        ...(!outlives && { reference: id }),
      })),
    );
  }

  private async valuesOf({ user_id, sender_id, ...values }: Record<string, unknown>): Promise<MailValues | undefined> {
    const owner = await this.users.addresseeById(String(user_id));
    const sender = await this.users.addresseeById(String(sender_id));
    return owner && { ...(values as MailValues), name: owner.name, sender: sender?.name ?? 'Worksmith' };
  }
}
