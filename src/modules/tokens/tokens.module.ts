import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { AgentTokensController } from './agent-tokens.controller.js';
import { TokensController } from './tokens.controller.js';
import { TokensRepository } from './tokens.repository.js';
import { TokensService } from './tokens.service.js';

/** The access tokens of programs. */
@Module({
  controllers: [TokensController, AgentTokensController],
  providers: [TokensRepository, TokensService],
  exports: [TokensService],
})
export class TokensModule {
  constructor(eraser: ContainerEraser) {
    // A token must not outlive its container, because it would lose its restriction.
    const within = `SELECT a.id FROM access_tokens a WHERE a.endeavour_id = ANY($1::text[]) OR a.organization_id = $2::text`;
    eraser.register({
      kind: 'access_token',
      table: 'access_tokens',
      within,
      // Waits for uses that are being written, and keeps others from being.
      before: ['SELECT 1 FROM access_tokens WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE'],
      parts: ['access_token_secrets', 'access_token_uses'].map((table) => ({ table, column: 'token_id' })),
    });
  }
}
