import { Module } from '@nestjs/common';
import { CredentialSecrets } from './credential-secrets.js';
import { CredentialsRepository } from './credentials.repository.js';
import { SecondFactors } from './second-factors.js';

/** What users sign in with. */
@Module({
  providers: [CredentialSecrets, CredentialsRepository, SecondFactors],
  exports: [CredentialsRepository, SecondFactors],
})
export class CredentialsModule {}
