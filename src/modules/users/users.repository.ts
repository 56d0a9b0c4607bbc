import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

/** The user a mail is addressed to. */
export interface Addressee {
  id: string;
  name: string;
}

/** Finds users by what is unique or rare about them. */
@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  addresseeById(id: string): Promise<Addressee | undefined> {
    return this.database.one<Addressee>('SELECT id, name FROM users WHERE id = $1', [id]);
  }

  addresseeByEmail(email: string): Promise<Addressee | undefined> {
    return this.database.one<Addressee>('SELECT id, name FROM users WHERE email = $1', [email]);
  }

  async idByEmail(email: string): Promise<string | undefined> {
    const [known] = await this.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    return known?.id;
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

  /** One transaction at a time changes who is an administrator, or two administrators demote each other at once. */
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
