import { Injectable } from '@nestjs/common';
import { isKnownAddress } from '../../access/authentication/known-addresses.js';
import type { Actor } from '../../platform/context/actor.js';
import { Database } from '../../platform/database/database.js';
import { hasSecondFactor, passwordHashOf } from '../credentials/credential.view.js';

/** The owner of an account. */
export interface Owner {
  id: string;
  name: string;
  email: string;
  lang: string;
}

/** Whether the user has signed in from the network of the client before. */
interface KnownNetwork {
  isKnown: boolean;
}

/** The properties of an account that a login depends on. */
export interface LoginAccount extends KnownNetwork {
  id: string;
  name: string;
  email: string;
  status: 'active' | 'inactive' | 'suspended';
  passwordHash: string | null;
  hasSecondFactor: boolean;
  /** Whether the user has closed the account and it has not been erased yet. */
  isReopenable: boolean;
}

/** An account that a provider could be linked to: an active person who is no administrator. */
export interface LinkableAccount {
  id: string;
  isOrdinary: boolean;
}

/** An account as the directory of an organization needs it. */
export interface DirectoryAccount {
  id: string;
  resourceId: string;
  email: string;
  status: 'active' | 'inactive' | 'suspended';
  isAdmin: boolean;
  /** Whether a person has it, and not an agent. */
  isPerson: boolean;
}

const DIRECTORY_COLUMNS = `id, resource_id AS "resourceId", email, status, is_admin AS "isAdmin",
  user_type = 'human' AND NOT is_managed AS "isPerson"`;

/** An account as shown to operators. */
export interface OperatedAccount {
  id: string;
  email: string;
  name: string;
  status: string;
  isAdmin: boolean;
  lastActiveAt: Date | null;
}

const OPERATOR_COLUMNS = `id, email, name, status, is_admin AS "isAdmin", last_active_at AS "lastActiveAt"`;

/** The columns of a {@link LoginAccount}, from `users`; `$2` is the network of the client. */
const LOGIN_COLUMNS = `id, name, email, status, ${passwordHashOf('users.id')} AS "passwordHash",
  ${hasSecondFactor('users.id')} AS "hasSecondFactor",
  coalesce(closed_by = id AND erasure_at > clock_timestamp(), false) AS "isReopenable",
  ${isKnownAddress('users.id', '$2')} AS "isKnown"`;

/** Reads and writes the data of users that authentication needs: passwords, logins and known networks. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  forLogin(email: string, clientNetwork: string): Promise<LoginAccount | undefined> {
    return this.database.one<LoginAccount>(`SELECT ${LOGIN_COLUMNS} FROM users WHERE email = $1`, [
      email,
      clientNetwork,
    ]);
  }

  /** The account of a user who has proved who it is. */
  forProved(id: string, clientNetwork: string): Promise<LoginAccount | undefined> {
    return this.database.one<LoginAccount>(`SELECT ${LOGIN_COLUMNS} FROM users WHERE id = $1`, [id, clientNetwork]);
  }

  /** The account with the address, for a directory that speaks for the address. */
  forDirectory(email: string): Promise<DirectoryAccount | undefined> {
    return this.database.one<DirectoryAccount>(`SELECT ${DIRECTORY_COLUMNS} FROM users WHERE email = $1`, [email]);
  }

  /** The account of a person whom a directory knows. */
  knownToDirectory(id: string): Promise<DirectoryAccount | undefined> {
    return this.database.one<DirectoryAccount>(`SELECT ${DIRECTORY_COLUMNS} FROM users WHERE id = $1`, [id]);
  }

  /** The same, locked, so that what is decided about it holds when it changes. */
  lockForDirectory(id: string): Promise<DirectoryAccount | undefined> {
    return this.database.one<DirectoryAccount>(
      `SELECT ${DIRECTORY_COLUMNS} FROM users WHERE id = $1 FOR NO KEY UPDATE`,
      [id],
    );
  }

  /** The active administrators of the service, who get mails. */
  activeAdministrators(): Promise<Owner[]> {
    return this.database.query<Owner>(
      `SELECT id, name, email, lang FROM users WHERE is_admin AND status = 'active' ORDER BY id`,
    );
  }

  /** The account with the address, locked, for a provider that speaks for the address. */
  forIdentity(email: string): Promise<LinkableAccount | undefined> {
    return this.database.one<LinkableAccount>(
      `SELECT id, status = 'active' AND user_type = 'human' AND NOT is_admin AS "isOrdinary"
       FROM users WHERE email = $1 FOR NO KEY UPDATE`,
      [email],
    );
  }

  /**
   * Counts a login; false if the account is no longer active, or has another password than the one that was compared. A new
   * password ends sign-ins that wait for the second factor, which compare none any more.
   */
  async countLogin(id: string, passwordHash?: string | null): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE users SET login_count = login_count + 1, last_active_at = clock_timestamp()
       WHERE id = $1 AND status = 'active' AND ($3 OR password_hash = $2) RETURNING 1`,
      [id, passwordHash ?? null, passwordHash === undefined],
    );
    return rows.length > 0;
  }

  /** The owner with the hash of the current password. */
  ownerWithPassword(
    id: string,
    clientNetwork: string,
  ): Promise<(Owner & KnownNetwork & { passwordHash: string | null }) | undefined> {
    return this.database.one<Owner & KnownNetwork & { passwordHash: string | null }>(
      `SELECT id, name, email, lang, ${passwordHashOf('users.id')} AS "passwordHash",
         ${isKnownAddress('users.id', '$2')} AS "isKnown" FROM users WHERE id = $1`,
      [id, clientNetwork],
    );
  }

  /** The language of the account with the e-mail address. */
  langByEmail(email: string, clientNetwork: string): Promise<(KnownNetwork & { lang: string }) | undefined> {
    return this.database.one<{ lang: string; isKnown: boolean }>(
      `SELECT lang, ${isKnownAddress('users.id', '$2')} AS "isKnown" FROM users WHERE email = $1`,
      [email, clientNetwork],
    );
  }

  owner(id: string): Promise<Owner | undefined> {
    return this.database.one<Owner>('SELECT id, name, email, lang FROM users WHERE id = $1', [id]);
  }

  /** The user as the one who acts, without a session. */
  actor(id: string): Promise<Actor | undefined> {
    return this.database.one<Actor>(
      'SELECT id AS "userId", resource_id AS "resourceId", name FROM users WHERE id = $1',
      [id],
    );
  }

  /** The owner of the account; undefined if it has another e-mail address by now. */
  ownerWithEmail(id: string, email: string): Promise<Owner | undefined> {
    return this.database.one<Owner>('SELECT id, name, email, lang FROM users WHERE id = $1 AND email = $2', [
      id,
      email,
    ]);
  }

  /** Replaces the password; false if `currentHash` is set and is no longer the current hash. */
  async replacePassword(id: string, hash: string, currentHash: string | null): Promise<boolean> {
    const rows = await this.database.query(
      'UPDATE users SET password_hash = $2 WHERE id = $1 AND ($3::text IS NULL OR password_hash = $3) RETURNING 1',
      [id, hash, currentHash],
    );
    return rows.length > 0;
  }

  administrators(): Promise<OperatedAccount[]> {
    return this.database.query<OperatedAccount>(`SELECT ${OPERATOR_COLUMNS} FROM users WHERE is_admin ORDER BY email`);
  }

  operatedByEmail(email: string): Promise<OperatedAccount | undefined> {
    return this.database.one<OperatedAccount>(`SELECT ${OPERATOR_COLUMNS} FROM users WHERE email = $1`, [email]);
  }
}
