import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { Secrets } from '../../platform/config/secrets.js';

/** Generates and hashes the tokens of invitations: 128 random bits, of which only a keyed hash is stored. */
@Injectable()
export class InvitationTokens {
  private readonly key = this.secrets.keyFor('invitation');

  constructor(private readonly secrets: Secrets) {}

  generate(): string {
    return randomBytes(16).toString('base64url');
  }

  hashOf(token: string): string {
    return createHmac('sha256', this.key).update(token.trim()).digest('base64url');
  }
}

/** The error for every reason for which a token is invalid, with the same message. */
export const invalidToken = (): ApiError =>
  new ApiError('invalid_token', 'This invitation does not exist, is used up or has expired.');
