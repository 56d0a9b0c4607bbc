import { Injectable } from '@nestjs/common';
import { isKnownAddress } from '../../access/known-addresses.js';
import { Database } from '../../platform/database/database.js';

/** The owner of an account. */
export interface Owner {
  id: string;
  name: string;
  email: string;
  lang: string;
}

/** Whether the account signed in from the client's network before. */
interface Familiar {
  isKnown: boolean;
}

/** What a login depends on. */
export interface LoginAccount extends Familiar {
  id: string;
  name: string;
  email: string;
  status: 'active' | 'inactive' | 'suspended';
  passwordHash: string | null;
  /** Whether its user closed it, and it is not erased yet. */
  isReopenable: boolean;
}

/** An account as an operator sees it. */
export interface OperatedAccount {
  id: string;
  email: string;
  name: string;
  status: string;
  isAdmin: boolean;
  lastActiveAt: Date | null;
}

const OPERATED = `id, email, name, status, is_admin AS "isAdmin", last_active_at AS "lastActiveAt"`;

/** Users as those who sign in: their passwords, logins, and the networks they are known from. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  forLogin(email: string, clientNetwork: string): Promise<LoginAccount | undefined> {
    return this.database.one<LoginAccount>(
      `SELECT id, name, email, status, password_hash AS "passwordHash",
         coalesce(closed_by = id AND erasure_at > clock_timestamp(), false) AS "isReopenable",
         ${isKnownAddress('users.id', '$2')} AS "isKnown" FROM users WHERE email = $1`,
      [email, clientNetwork],
    );
  }

  /** Counts a login; false where the account is not active any more, or has another password. */
  async countLogin(id: string, passwordHash: string | null): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE users SET login_count = login_count + 1, last_active_at = clock_timestamp()
       WHERE id = $1 AND status = 'active' AND password_hash = $2 RETURNING 1`,
      [id, passwordHash],
    );
    return rows.length > 0;
  }

  /** The owner with the hash of the current password. */
  ownerWithPassword(
    id: string,
    clientNetwork: string,
  ): Promise<(Owner & Familiar & { passwordHash: string | null }) | undefined> {
    return this.database.one<Owner & Familiar & { passwordHash: string | null }>(
      `SELECT id, name, email, lang, password_hash AS "passwordHash",
         ${isKnownAddress('users.id', '$2')} AS "isKnown" FROM users WHERE id = $1`,
      [id, clientNetwork],
    );
  }

  /** The language of the account with that address. */
  langByEmail(email: string, clientNetwork: string): Promise<(Familiar & { lang: string }) | undefined> {
    return this.database.one<{ lang: string; isKnown: boolean }>(
      `SELECT lang, ${isKnownAddress('users.id', '$2')} AS "isKnown" FROM users WHERE email = $1`,
      [email, clientNetwork],
    );
  }

  owner(id: string): Promise<Owner | undefined> {
    return this.database.one<Owner>('SELECT id, name, email, lang FROM users WHERE id = $1', [id]);
  }

  /** The owner, as long as that is still their address. */
  ownerWithEmail(id: string, email: string): Promise<Owner | undefined> {
    return this.database.one<Owner>('SELECT id, name, email, lang FROM users WHERE id = $1 AND email = $2', [
      id,
      email,
    ]);
  }

  /** Replaces the password; false where another hash than the given one is current, unless that is null. */
  async replacePassword(id: string, hash: string, currentHash: string | null): Promise<boolean> {
    const rows = await this.database.query(
      'UPDATE users SET password_hash = $2 WHERE id = $1 AND ($3::text IS NULL OR password_hash = $3) RETURNING 1',
      [id, hash, currentHash],
    );
    return rows.length > 0;
  }

  administrators(): Promise<OperatedAccount[]> {
    return this.database.query<OperatedAccount>(`SELECT ${OPERATED} FROM users WHERE is_admin ORDER BY email`);
  }

  operatedByEmail(email: string): Promise<OperatedAccount | undefined> {
    return this.database.one<OperatedAccount>(`SELECT ${OPERATED} FROM users WHERE email = $1`, [email]);
  }
}
