import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';
import { TokenNoticesService } from './token-notices.service.js';

/** Provides agents: programs that are members of organizations. */
@Module({
  imports: [MessagesModule, ResourcesModule, TokensModule, UsersModule],
  controllers: [AgentsController],
  providers: [AgentsRepository, AgentsService, TokenNoticesService],
})
export class AgentsModule {
  constructor(eraser: ContainerEraser) {
    // An agent without a manager has no rights.
    eraser.attach({ references: [{ table: 'users', column: 'agent_of', with: ['manager_id'] }] });
  }
}
