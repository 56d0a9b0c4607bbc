import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { MessagesModule } from '../messages/messages.module.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationLetters } from './invitation-letters.js';
import { InvitationTokens } from './invitation-tokens.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';

/** Offers of an account and of roles. */
@Module({
  imports: [MessagesModule],
  controllers: [InvitationsController],
  providers: [
    InvitationAcceptanceService,
    InvitationLetters,
    InvitationTokens,
    InvitationsRepository,
    InvitationsService,
  ],
  exports: [InvitationAcceptanceService, InvitationsService],
})
export class InvitationsModule {
  constructor(eraser: ContainerEraser) {
    const within = `SELECT i.id FROM invitations i WHERE i.endeavour_id = ANY($1::text[]) OR i.organization_id = $2::text`;
    eraser.register({
      kind: 'invitation',
      table: 'invitations',
      within,
      parts: [{ table: 'invitation_acceptances', column: 'invitation_id' }],
    });
    eraser.attach({ parts: [{ table: 'former_members', column: 'container_id' }] });
  }
}
