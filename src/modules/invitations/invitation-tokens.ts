import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { Secrets } from '../../platform/config/secrets.js';

/** Makes and hashes the tokens of invitations: 128 bits that are kept as a keyed hash only. */
@Injectable()
export class InvitationTokens {
  private readonly key = this.secrets.keyFor('invitation');

  constructor(private readonly secrets: Secrets) {}

  make(): string {
    return randomBytes(16).toString('base64url');
  }

  hashOf(token: string): string {
    return createHmac('sha256', this.key).update(token.trim()).digest('base64url');
  }
}

/** One text for every reason. */
export const invalidToken = (): ApiError =>
  new ApiError('invalid_token', 'This invitation does not exist, is used up or has expired.');
