import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { HealthController, HomeController, VersionController } from './health.controller.js';
import { OptionalCaller } from '../authentication/optional-caller.js';

/** Provides the health endpoints. */
@Module({
  imports: [JwtModule.register({})],
  controllers: [HealthController, VersionController, HomeController],
  providers: [OptionalCaller],
})
export class HealthEndpointsModule {}
