import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { HealthController, HomeController } from './health.controller.js';
import { OptionalCaller } from './optional-caller.js';

/** What whoever runs the service needs: its state of health, and that it cleans up behind itself. */
@Module({
  imports: [JwtModule.register({})],
  controllers: [HealthController, HomeController],
  providers: [OptionalCaller],
})
export class UpkeepModule {}
