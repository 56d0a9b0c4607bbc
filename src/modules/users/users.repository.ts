import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

/** The recipient of a mail. */
interface Addressee {
  id: string;
  name: string;
}

/** The properties of a user that an invitation needs. */
interface Invitee {
  id: string;
  email: string;
  lang: string;
  isManaged: boolean;
}

/** Finds users by id, e-mail address or status. */
@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  addresseeById(id: string): Promise<Addressee | undefined> {
    return this.database.one<Addressee>('SELECT id, name FROM users WHERE id = $1', [id]);
  }

  addresseeByEmail(email: string): Promise<Addressee | undefined> {
    return this.database.one<Addressee>('SELECT id, name FROM users WHERE email = $1 AND NOT is_managed', [email]);
  }

  inviteeById(id: string): Promise<Invitee | undefined> {
    return this.database.one<Invitee>('SELECT id, email, lang, is_managed AS "isManaged" FROM users WHERE id = $1', [
      id,
    ]);
  }

  inviteeByEmail(email: string): Promise<Invitee | undefined> {
    return this.database.one<Invitee>('SELECT id, email, lang, is_managed AS "isManaged" FROM users WHERE email = $1', [
      email,
    ]);
  }

  async langOf(id: string): Promise<string | undefined> {
    const row = await this.database.one<{ lang: string }>('SELECT lang FROM users WHERE id = $1', [id]);
    return row?.lang;
  }

  async idByEmail(email: string): Promise<string | undefined> {
    const [user] = await this.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    return user?.id;
  }

  async existsWithEmail(email: string): Promise<boolean> {
    return (await this.database.query('SELECT 1 FROM users WHERE email = $1', [email])).length > 0;
  }

  async isEmailTaken(email: string, exceptUserId: string | null): Promise<boolean> {
    const rows = await this.database.query('SELECT 1 FROM users WHERE email = $1 AND id IS DISTINCT FROM $2', [
      email,
      exceptUserId,
    ]);
    return rows.length > 0;
  }

  /** The ids of at most a hundred closed accounts that are due for erasure, those after `lastId` in order. */
  async dueForErasure(lastId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM users WHERE erasure_at <= clock_timestamp() AND id > $1 ORDER BY id LIMIT 100',
      [lastId],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks the account if it is still to be erased and has not been reopened. */
  async lockDueForErasure(id: string): Promise<boolean> {
    const [row] = await this.database.query(
      'SELECT 1 FROM users WHERE id = $1 AND erasure_at <= clock_timestamp() FOR NO KEY UPDATE',
      [id],
    );
    return row !== undefined;
  }

  /** Serializes changes of administrators, so that two administrators cannot demote each other concurrently. */
  async lockAdministrators(): Promise<void> {
    await this.database.query(`SELECT pg_advisory_xact_lock(hashtextextended('administrators', 3))`);
  }

  async hasAdministrator(): Promise<boolean> {
    return (await this.database.query('SELECT 1 FROM users WHERE is_admin LIMIT 1')).length > 0;
  }

  async hasOtherActiveAdministrator(exceptUserId: string): Promise<boolean> {
    const [other] = await this.database.query(
      `SELECT 1 FROM users WHERE is_admin AND status = 'active' AND id <> $1 LIMIT 1`,
      [exceptUserId],
    );
    return other !== undefined;
  }
}
