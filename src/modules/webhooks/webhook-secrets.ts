import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../platform/config/secrets.js';
import { BOTH_SECRETS_MS } from './webhook.rules.js';

const PREFIX = 'whsec_';

/** What of a webhook its secrets are derived from. */
export interface SecretState {
  webhookId: string;
  secretVersion: number;
  secretRotatedAt: Date | null;
}

/**
 * The secrets by which receivers verify what is sent, as Standard Webhooks has them. Each is derived from a key that only
 * the service has, so that the database holds none.
 */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly secrets: Secrets) {}

  /** The present secret as its receiver is given it. */
  current({ webhookId, secretVersion }: SecretState): string {
    return PREFIX + this.keyOf(webhookId, secretVersion).toString('base64');
  }

  /** The headers of a message: after a rotation it carries the signatures of both secrets for a while. */
  headersOf(state: SecretState, id: string, payload: string, now: Date): Record<string, string> {
    const timestamp = Math.floor(Date.now() / 1_000);
    const { webhookId, secretVersion, secretRotatedAt } = state;
    const isFresh = secretRotatedAt !== null && now.getTime() - secretRotatedAt.getTime() < BOTH_SECRETS_MS;
    const versions = isFresh ? [secretVersion, secretVersion - 1] : [secretVersion];
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
