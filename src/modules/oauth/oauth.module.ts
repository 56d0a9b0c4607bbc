import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.js';
import { ConsentsController } from './consents.controller.js';
import { ConsentsService } from './consents.service.js';
import { OauthAdapter } from './oauth-adapter.js';
import { OauthItemsRepository } from './oauth-items.repository.js';
import { OauthProvider } from './oauth-provider.js';
import { OauthServer } from './oauth-server.js';
import { WaitingRequests } from './waiting-requests.js';

/** Lets programs of others act on behalf of people who have consented (OAuth 2.1). */
@Module({
  imports: [TokensModule],
  controllers: [ConsentsController],
  providers: [ConsentsService, OauthAdapter, OauthItemsRepository, OauthProvider, OauthServer, WaitingRequests],
})
export class OauthModule {}
