import { Module } from '@nestjs/common';
import { CredentialsRepository } from './credentials.repository.js';

/** What users sign in with. */
@Module({
  providers: [CredentialsRepository],
  exports: [CredentialsRepository],
})
export class CredentialsModule {}
