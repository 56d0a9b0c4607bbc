import { createHmac, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { seal, unseal } from '../../platform/config/sealing.js';
import { Secrets } from '../../platform/config/secrets.js';

/** Without digits and letters that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 2;
const GROUP_LENGTH = 5;

/** Encrypts and hashes the secrets of credentials, with keys that are derived from PEPPER. */
@Injectable()
export class CredentialSecrets {
  private readonly sealing = this.secrets.keyFor('totp-secret');
  private readonly hashing = this.secrets.keyFor('recovery-code');

  constructor(private readonly secrets: Secrets) {}

  /** Encrypts a secret of the user; it cannot be decrypted for another one. */
  seal(userId: string, secret: Buffer): string {
    return seal(this.sealing, userId, secret);
  }

  /** Undefined if the secret was sealed with another key, such as before PEPPER was lost, or for another user. */
  unseal(userId: string, sealed: string): Buffer | undefined {
    return unseal(this.sealing, userId, sealed);
  }

  /** A new recovery code of 49 random bits, such as `k3x9q-a2mzp`. */
  recoveryCode(): string {
    const group = (): string => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    return Array.from({ length: GROUPS }, group).join('-');
  }

  /** The stored form of a recovery code, whose hyphen and case do not matter. */
  hashOf(userId: string, recoveryCode: string): string {
    const letters = recoveryCode.toLowerCase().replaceAll(/[\s-]/g, '');
    return createHmac('sha256', this.hashing).update(`${userId}\n${letters}`).digest('base64url');
  }
}
