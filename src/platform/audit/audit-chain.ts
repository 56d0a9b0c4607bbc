import { createHmac, type KeyObject } from 'node:crypto';
import type { Secrets } from '../config/secrets.js';

/** The hash that precedes the first entry. */
export const INITIAL_HASH = '';

/** SQL for the content of an entry `e`, as text that is the same on every server. */
export const ENTRY_TEXT = `jsonb_build_array(e.id, extract(epoch FROM e.occurred_at), e.action, e.actor_id, e.user_id,
  e.entity_type, e.entity_id, e.endeavour_id, e.organization_id, e.former_organization_id, e.session_id, e.token_id,
  e.request_id, e.operation, e.code, e.reason, e.count, e.details, e.origin)::text`;

/** Computes the hashes that link the audit entries into a chain, and signs its checkpoints. */
export class AuditChain {
  private readonly sealKey: KeyObject;
  private readonly signatureKey: KeyObject;
  private readonly originKey: KeyObject;

  constructor(secrets: Secrets) {
    this.sealKey = secrets.keyFor('audit chain');
    this.signatureKey = secrets.keyFor('audit checkpoint');
    this.originKey = secrets.keyFor('audit origin');
  }

  /** The hash of an entry that follows the one with the hash `before`. */
  seal(before: string, position: number, text: string): string {
    return keyedHash(this.sealKey, [before, String(position), text]);
  }

  /**
   * The signature of a checkpoint: the chain has `hash` at that position, and everything before was sealed earlier than
   * `edge`.
   */
  sign(position: number, hash: string, edge: Date): string {
    return keyedHash(this.signatureKey, [String(position), hash, edge.toISOString()]);
  }

  /** The hash in an entry of the origin of an act; null if the origin is unknown. */
  origin(address?: string | null, userAgent?: string | null, email?: string | null): string | null {
    const parts = [address ?? null, userAgent ?? null, email ?? null];
    return parts.every((part) => part === null) ? null : keyedHash(this.originKey, parts);
  }
}

const keyedHash = (key: KeyObject, parts: readonly (string | null)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
