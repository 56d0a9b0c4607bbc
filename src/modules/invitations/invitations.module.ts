import { Module } from '@nestjs/common';
import { InvitationTokens } from './invitation-tokens.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';
import { Redemptions } from './redemptions.js';

/** Offers of an account and of roles. */
@Module({
  controllers: [InvitationsController],
  providers: [InvitationTokens, InvitationsService, Redemptions],
  exports: [Redemptions],
})
export class InvitationsModule {}
