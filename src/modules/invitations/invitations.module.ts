import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { MessagesModule } from '../messages/messages.module.js';
import { invitationErasing } from './invitation.containment.js';
import { UsersModule } from '../users/users.module.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationCreationService } from './invitation-creation.service.js';
import { InvitationLetters } from './invitation-letters.js';
import { InvitationLettersRepository } from './invitation-letters.repository.js';
import { InvitationTokens } from './invitation-tokens.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';
import { LinkOffers } from './link-offers.js';

/** Provides invitations: offers of an account, of roles and of links of endeavours. */
@Module({
  imports: [MessagesModule, UsersModule],
  controllers: [InvitationsController],
  providers: [
    InvitationAcceptanceService,
    InvitationCreationService,
    InvitationLetters,
    InvitationLettersRepository,
    InvitationTokens,
    InvitationsRepository,
    InvitationsService,
    LinkOffers,
  ],
  exports: [InvitationAcceptanceService, InvitationsRepository, InvitationsService, LinkOffers],
})
export class InvitationsModule {
  constructor(eraser: ContainerEraser) {
    eraser.register(invitationErasing);
    eraser.attach({ parts: [{ table: 'former_members', column: 'container_id' }] });
  }
}
