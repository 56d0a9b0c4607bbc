import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { Access } from './access.js';
import { AdminGuard } from './admin.guard.js';
import { Callers } from './callers.js';
import { InnerLists } from './inner-lists.js';
import { JwtGuard } from './jwt.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import { Lineage } from './lineage.js';
import { Memberships } from './memberships.js';
import { RateGuard } from './rate.guard.js';
import { Seats } from './seats.js';
import { Sessions } from './sessions.js';
import { Tiers } from './tiers.js';
import { Tokens } from './tokens.js';

/** The second floor: who is asking, and what may they touch. Its guards stand before every route. */
@Global()
@Module({
  imports: [JwtModule.register({})],
  providers: [
    Access,
    Callers,
    InnerLists,
    JwtStrategy,
    Lineage,
    Memberships,
    Seats,
    Sessions,
    Tiers,
    Tokens,
    { provide: APP_GUARD, useClass: JwtGuard },
    { provide: APP_GUARD, useClass: RateGuard },
    { provide: APP_GUARD, useClass: AdminGuard },
  ],
  exports: [Access, Callers, InnerLists, Lineage, Memberships, Sessions, Tiers, Tokens],
})
export class AccessModule {}
