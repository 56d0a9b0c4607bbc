import { Module } from '@nestjs/common';
import { IdentityProvidersModule } from '../identity-providers/identity-providers.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { ClientDocuments } from './client-documents.js';
import { ClientLookup } from './client-lookup.js';
import { ClientRegistration } from './client-registration.js';
import { ConsentsController } from './consents.controller.js';
import { ConsentsService } from './consents.service.js';
import { OauthAdapter } from './oauth-adapter.js';
import { OauthClientsController } from './oauth-clients.controller.js';
import { OauthClientsRepository } from './oauth-clients.repository.js';
import { OauthClientsService } from './oauth-clients.service.js';
import { OauthItemsRepository } from './oauth-items.repository.js';
import { OauthProvider } from './oauth-provider.js';
import { OauthServer } from './oauth-server.js';
import { RegistrationServer } from './registration-server.js';
import { RegistrationTokensController } from './registration-tokens.controller.js';
import { RegistrationTokensRepository } from './registration-tokens.repository.js';
import { RegistrationTokensService } from './registration-tokens.service.js';
import { WaitingRequests } from './waiting-requests.js';

/** Lets programs of others act on behalf of people who have consented (OAuth 2.1). */
@Module({
  imports: [IdentityProvidersModule, TokensModule],
  controllers: [ConsentsController, OauthClientsController, RegistrationTokensController],
  providers: [
    ClientDocuments,
    ClientLookup,
    ClientRegistration,
    ConsentsService,
    OauthAdapter,
    OauthClientsRepository,
    OauthClientsService,
    OauthItemsRepository,
    OauthProvider,
    OauthServer,
    RegistrationServer,
    RegistrationTokensRepository,
    RegistrationTokensService,
    WaitingRequests,
  ],
})
export class OauthModule {}
