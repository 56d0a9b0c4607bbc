import { BatchGuard } from './batch.guard.js';
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { Access } from './access.js';
import { AccessTokenSecrets } from './access-token-secrets.js';
import { PermissionGuard } from './permission.guard.js';
import { Callers } from './callers.js';
import { ContainerWriteBlocks } from './container-write-blocks.js';
import { Consent } from './consent.js';
import { ContainerLocks } from './container-locks.js';
import { ExternalRefs } from './external-refs.js';
import { HomeDeparturesRepository } from './home-departures.repository.js';
import { EndedMembershipsRepository } from './ended-memberships.repository.js';
import { HomeDepartures } from './home-departures.js';
import { InvitationLimit } from './invitation-limit.js';
import { ChildLists } from './child-lists.js';
import { JwtGuard } from './jwt.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import { Lineage } from './lineage.js';
import { MemberReferences } from './member-references.js';
import { OperationRegistry } from './operation-registry.js';
import { Memberships } from './memberships.js';
import { RoleLosses } from './role-losses.js';
import { QueryGuard } from './query.guard.js';
import { RateGuard } from './rate.guard.js';
import { MembershipRows } from './membership-rows.js';
import { SavedQueries } from './saved-queries.js';
import { SavedQueryGuard } from './saved-query.guard.js';
import { Sessions } from './sessions.js';
import { SignInVetoes } from './sign-in-vetoes.js';
import { CreationTally } from './creation-tally.js';
import { Tiers } from './tiers.js';
import { SecondFactorGuard } from './second-factor.guard.js';
import { StepUp } from './step-up.js';
import { TokenSignIn } from './token-sign-in.js';
import { TokenUses } from './token-uses.js';
import { Tokens } from './tokens.js';
import { WorkKeyGuard } from './work-key.guard.js';
import { WorkKeysRepository } from './work-keys.repository.js';
import { WorkReferencesRepository } from './work-references.repository.js';
import { WorkReferencesService } from './work-references.service.js';
import { WorkNumberingService } from './work-numbering.service.js';
import { WithheldRepository } from './withheld.repository.js';
import { WaysIn } from './ways-in.js';

/** Authentication, permissions and visibility; its guards run before every route. */
@Global()
@Module({
  imports: [JwtModule.register({})],
  providers: [
    Access,
    AccessTokenSecrets,
    Callers,
    ContainerWriteBlocks,
    Consent,
    ContainerLocks,
    EndedMembershipsRepository,
    ExternalRefs,
    HomeDepartures,
    HomeDeparturesRepository,
    ChildLists,
    InvitationLimit,
    JwtStrategy,
    Lineage,
    MemberReferences,
    Memberships,
    OperationRegistry,
    RoleLosses,
    MembershipRows,
    SavedQueries,
    Sessions,
    SignInVetoes,
    StepUp,
    WaysIn,
    CreationTally,
    Tiers,
    TokenSignIn,
    TokenUses,
    Tokens,
    WorkKeysRepository,
    WithheldRepository,
    WorkNumberingService,
    WorkReferencesRepository,
    WorkReferencesService,
    { provide: APP_GUARD, useClass: JwtGuard },
    { provide: APP_GUARD, useClass: RateGuard },
    { provide: APP_GUARD, useClass: PermissionGuard },
    { provide: APP_GUARD, useClass: BatchGuard },
    { provide: APP_GUARD, useClass: WorkKeyGuard },
    { provide: APP_GUARD, useClass: SecondFactorGuard },
    { provide: APP_GUARD, useClass: SavedQueryGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
  ],
  exports: [
    Access,
    AccessTokenSecrets,
    Callers,
    ContainerWriteBlocks,
    Consent,
    ContainerLocks,
    EndedMembershipsRepository,
    ExternalRefs,
    HomeDepartures,
    ChildLists,
    InvitationLimit,
    Lineage,
    MemberReferences,
    Memberships,
    OperationRegistry,
    RoleLosses,
    MembershipRows,
    SavedQueries,
    Sessions,
    SignInVetoes,
    StepUp,
    WaysIn,
    CreationTally,
    Tiers,
    Tokens,
    WorkKeysRepository,
  ],
})
export class AccessModule {}
