import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { AuthModule } from '../auth/auth.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { PasskeysModule } from '../passkeys/passkeys.module.js';
import { Promotions } from '../users/promotions.js';
import { UsersModule } from '../users/users.module.js';
import { AccountLinking } from './identities/account-linking.js';
import { GroupRoles } from './group-roles.service.js';
import { SignInRules } from './sign-in/sign-in-rules.service.js';
import { SignInRulesRepository } from './sign-in/sign-in-rules.repository.js';
import { FlowTokens } from './sign-in/flow-tokens.js';
import { IdentitiesController } from './identities/identities.controller.js';
import { IdentitiesRepository } from './identities/identities.repository.js';
import { IdentitiesService } from './identities/identities.service.js';
import { IdentityLinks } from './identities/identity-links.js';
import { IdentityProvidersController } from './identity-providers.controller.js';
import { IdentityProvidersRepository } from './identity-providers.repository.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { IssuerLookup } from './protocol/issuer-lookup.js';
import { LogoutTokens } from './protocol/logout-tokens.js';
import { LogoutTokensRepository } from './protocol/logout-tokens.repository.js';
import { OrganizationAccounts } from './identities/organization-accounts.js';
import { OidcController } from './sign-in/oidc.controller.js';
import { OidcFlowsRepository } from './sign-in/oidc-flows.repository.js';
import { ProviderConnections } from './protocol/provider-connections.js';
import { identityErasing, providerErasing } from './provider.containment.js';
import { ProviderLogouts } from './protocol/provider-logouts.service.js';
import { ProviderProtocol } from './protocol/provider-protocol.js';
import { ProviderRequests } from './protocol/provider-requests.js';
import { ProviderSignIns } from './sign-in/provider-sign-ins.js';
import { ProviderTests } from './provider-tests.js';
import { SignInMethods } from './identities/sign-in-methods.js';

/** Signing in with OpenID providers, and what they call the users. */
@Module({
  imports: [AuthModule, DomainsModule, PasskeysModule, UsersModule],
  controllers: [IdentityProvidersController, OidcController, IdentitiesController],
  providers: [
    AccountLinking,
    FlowTokens,
    GroupRoles,
    SignInRules,
    SignInRulesRepository,
    IdentitiesRepository,
    IdentitiesService,
    IdentityLinks,
    IdentityProvidersRepository,
    IdentityProvidersService,
    IssuerLookup,
    LogoutTokens,
    LogoutTokensRepository,
    OidcFlowsRepository,
    OrganizationAccounts,
    ProviderConnections,
    ProviderLogouts,
    ProviderProtocol,
    ProviderRequests,
    ProviderSignIns,
    ProviderTests,
    SignInMethods,
  ],
  exports: [GroupRoles, OrganizationAccounts, ProviderRequests, ProviderSignIns],
})
export class IdentityProvidersModule {
  constructor(eraser: ContainerEraser, identities: IdentitiesRepository, promotions: Promotions) {
    eraser.register(identityErasing, providerErasing);
    eraser.attach({ parts: [{ table: 'organization_accounts', column: 'organization_id' }] });
    promotions.register((userId) => identities.hasLetCompaniesIn(userId));
  }
}
