import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../../platform/config/secrets.js';

const TOKEN_BYTES = 32;

/** What one sign-in at a provider is recognized by. All of it is derived from the token, so none of it is stored. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** Makes the tokens of sign-ins at providers, and what belongs to each. */
@Injectable()
export class FlowTokens {
  private readonly key = this.secrets.keyFor('oidc-flow');

  constructor(private readonly secrets: Secrets) {}

  create(): string {
    return randomBytes(TOKEN_BYTES).toString('base64url');
  }

  /** The stored form of a token. */
  hashOf(token: string): string {
    return this.derive('hash', token);
  }

  secretsOf(token: string): FlowSecrets {
    return {
      state: this.derive('state', token),
      nonce: this.derive('nonce', token),
      verifier: this.derive('verifier', token),
    };
  }

  private derive(purpose: string, token: string): string {
    return createHmac('sha256', this.key).update(`${purpose}\n${token}`).digest('base64url');
  }
}

export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
