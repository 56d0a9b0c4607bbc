import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';

/** Provides agents: programs that are members of organizations. */
@Module({
  imports: [ResourcesModule, TokensModule, UsersModule],
  controllers: [AgentsController],
  providers: [AgentsRepository, AgentsService],
})
export class AgentsModule {
  constructor(eraser: ContainerEraser) {
    // An agent without a manager has no rights.
    eraser.attach({ references: [{ table: 'users', column: 'agent_of', with: ['manager_id'] }] });
  }
}
