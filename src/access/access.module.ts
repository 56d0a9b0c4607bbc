import { BatchGuard } from './operations/batch.guard.js';
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { Access } from './access.js';
import { AccessTokenSecrets } from './authentication/access-token-secrets.js';
import { PermissionGuard } from './operations/permission.guard.js';
import { Callers } from './authentication/callers.js';
import { ContainerWriteBlocks } from './visibility/container-write-blocks.js';
import { Consent } from './authentication/consent.js';
import { ContainerLocks } from './visibility/container-locks.js';
import { ExternalRefs } from './references/external-refs.js';
import { HomeDeparturesRepository } from './memberships/home-departures.repository.js';
import { EndedMembershipsRepository } from './memberships/ended-memberships.repository.js';
import { HomeDepartures } from './memberships/home-departures.js';
import { InvitationLimit } from './memberships/invitation-limit.js';
import { ChildLists } from './visibility/child-lists.js';
import { JwtGuard } from './authentication/jwt.guard.js';
import { JwtStrategy } from './authentication/jwt.strategy.js';
import { Lineage } from './visibility/lineage.js';
import { MemberReferences } from './memberships/member-references.js';
import { OperationRegistry } from './operations/operation-registry.js';
import { Memberships } from './memberships/memberships.js';
import { RoleLosses } from './permissions/role-losses.js';
import { QueryGuard } from './operations/query.guard.js';
import { RateGuard } from './operations/rate.guard.js';
import { MembershipRows } from './memberships/membership-rows.js';
import { SavedQueries } from './operations/saved-queries.js';
import { SavedQueryGuard } from './operations/saved-query.guard.js';
import { Sessions } from './authentication/sessions.js';
import { SignInVetoes } from './authentication/sign-in-vetoes.js';
import { CreationTally } from './tiers/creation-tally.js';
import { Tiers } from './tiers/tiers.js';
import { SecondFactorGuard } from './second-factor/second-factor.guard.js';
import { StepUp } from './second-factor/step-up.js';
import { TokenSignIn } from './authentication/token-sign-in.js';
import { TokenUses } from './authentication/token-uses.js';
import { Tokens } from './authentication/tokens.js';
import { WorkKeyGuard } from './references/work-key.guard.js';
import { WorkKeysRepository } from './references/work-keys.repository.js';
import { WorkReferencesRepository } from './references/work-references.repository.js';
import { WorkReferencesService } from './references/work-references.service.js';
import { WorkNumberingService } from './references/work-numbering.service.js';
import { WithheldRepository } from './second-factor/withheld.repository.js';
import { WaysIn } from './authentication/ways-in.js';

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
