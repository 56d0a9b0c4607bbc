import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { Access } from './access.js';
import { AdminGuard } from './admin.guard.js';
import { Callers } from './callers.js';
import { JwtGuard } from './jwt.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import { Memberships } from './memberships.js';
import { Seats } from './seats.js';
import { Tokens } from './tokens.js';

/** The second floor: who is asking, and what may they touch. Both guards stand before every route. */
@Global()
@Module({
  imports: [JwtModule.register({})],
  providers: [
    Access,
    Callers,
    JwtStrategy,
    Memberships,
    Seats,
    Tokens,
    { provide: APP_GUARD, useClass: JwtGuard },
    { provide: APP_GUARD, useClass: AdminGuard },
  ],
  exports: [Access, Callers, Memberships, Tokens],
})
export class AccessModule {}
