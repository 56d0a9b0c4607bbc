import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { HealthController, HomeController } from './health.controller.js';
import { OptionalCaller } from './optional-caller.js';

/** What an operator needs first: the health of the service. */
@Module({
  imports: [JwtModule.register({})],
  controllers: [HealthController, HomeController],
  providers: [OptionalCaller],
})
export class HealthEndpointsModule {}
