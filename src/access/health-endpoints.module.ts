import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { HealthController, HomeController } from './health.controller.js';
import { OptionalCaller } from './optional-caller.js';

/** what whoever runs the service needs first: its state of health. */
@Module({
  imports: [JwtModule.register({})],
  controllers: [HealthController, HomeController],
  providers: [OptionalCaller],
})
export class HealthEndpointsModule {}
