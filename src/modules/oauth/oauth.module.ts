import { Module } from '@nestjs/common';
import { IdentityProvidersModule } from '../identity-providers/identity-providers.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { ClientDocuments } from './clients/client-documents.js';
import { ClientLookup } from './clients/client-lookup.js';
import { ClientRegistration } from './registration/client-registration.js';
import { ConsentsController } from './consents/consents.controller.js';
import { ConsentsService } from './consents/consents.service.js';
import { OauthAdapter } from './oauth-adapter.js';
import { OauthClientsController } from './clients/oauth-clients.controller.js';
import { OauthClientsRepository } from './clients/oauth-clients.repository.js';
import { OauthClientsService } from './clients/oauth-clients.service.js';
import { OauthItemsRepository } from './oauth-items.repository.js';
import { OauthProvider } from './oauth-provider.js';
import { OauthServer } from './oauth-server.js';
import { RegistrationServer } from './registration/registration-server.js';
import { RegistrationTokensController } from './registration/registration-tokens.controller.js';
import { RegistrationTokensRepository } from './registration/registration-tokens.repository.js';
import { RegistrationTokensService } from './registration/registration-tokens.service.js';
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
