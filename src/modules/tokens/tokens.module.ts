import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { AgentTokensController } from './agent-tokens.controller.js';
import { GrantsController } from './grants.controller.js';
import { GrantsRepository } from './grants.repository.js';
import { GrantsService } from './grants.service.js';
import { tokenErasing } from './token.containment.js';
import { TokensController } from './tokens.controller.js';
import { TokensRepository } from './tokens.repository.js';
import { TokensService } from './tokens.service.js';

/** The access tokens of programs. */
@Module({
  controllers: [TokensController, AgentTokensController, GrantsController],
  providers: [GrantsRepository, GrantsService, TokensRepository, TokensService],
  exports: [GrantsService, TokensService],
})
export class TokensModule {
  constructor(eraser: ContainerEraser) {
    eraser.register(tokenErasing);
  }
}
