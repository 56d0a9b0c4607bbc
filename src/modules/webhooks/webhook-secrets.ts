import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../platform/config/secrets.js';
import { OVERLAP_MS } from './webhook.rules.js';

const PREFIX = 'whsec_';

/** The properties of a webhook that its secrets are derived from. */
export interface SecretState {
  webhookId: string;
  secretVersion: number;
  secretRotatedAt: Date | null;
}

/**
 * Derives the secrets by which receivers verify deliveries, as in Standard Webhooks. They are derived from a secret
 * key, so the database contains none.
 */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly secrets: Secrets) {}

  /** The current secret in the form for its receiver. */
  current({ webhookId, secretVersion }: SecretState): string {
    return PREFIX + this.keyOf(webhookId, secretVersion).toString('base64');
  }

  /** The headers of a message; for 24 hours after a rotation, they contain the signatures of both secrets. */
  headersOf(state: SecretState, id: string, payload: string, now: Date): Record<string, string> {
    const timestamp = Math.floor(Date.now() / 1_000);
    const { webhookId, secretVersion, secretRotatedAt } = state;
    const isRecentlyRotated = secretRotatedAt !== null && now.getTime() - secretRotatedAt.getTime() < OVERLAP_MS;
    const versions = isRecentlyRotated ? [secretVersion, secretVersion - 1] : [secretVersion];
    const signatures = versions.map((version) => {
      const signed = createHmac('sha256', this.keyOf(webhookId, version)).update(`${id}.${timestamp}.${payload}`);
      return `v1,${signed.digest('base64')}`;
    });
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures.join(' '),
    };
  }

  private keyOf(webhookId: string, version: number): Buffer {
    return createHmac('sha256', this.secrets.keyFor('webhooks')).update(`${webhookId} ${version}`).digest();
  }
}
