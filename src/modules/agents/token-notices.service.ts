import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { printable } from '../../common/texts/text.js';
import { MessagesService } from '../messages/messages.service.js';
import { TokensService, type DirectedAgent } from '../tokens/tokens.service.js';

/** Tells the manager of an agent that another admin has created an access token for it. */
@Injectable()
export class TokenNoticesService {
  constructor(
    private readonly messages: MessagesService,
    tokens: TokensService,
  ) {
    tokens.onCreatedByOther((me, agent) => this.tell(me, agent));
  }

  private async tell(me: Caller, { id, name, managerResourceId }: DirectedAgent): Promise<void> {
    if (managerResourceId === null) return;
    await this.messages.send(null, {
      recipients: [managerResourceId],
      subject: printable(`A new access token for your agent ${name}`, 500),
      content:
        `${me.name} created an access token for your agent ${name}. It has no more rights than ${me.name}, cannot ` +
        'approve, vote, attest or post results, and ends when you delete it with DELETE /auth/tokens/{id}.',
      entityId: id,
    });
  }
}
