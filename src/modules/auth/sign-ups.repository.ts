import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';

const PENDING_HOURS = 24;

/** A pending sign-up. */
interface SignUpRow {
  id: string;
  email: string;
  name: string;
  passwordHash: string;
  invitationHash: string | null;
  lang: string;
}

/** Reads and writes pending sign-ups, of which an e-mail address can have several. */
@Injectable()
export class SignUpsRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('sign_ups', 'expires_at < now()');
  }

  /** Stores a sign-up and returns its id. */
  async insert({
    email,
    name,
    passwordHash,
    invitationHash,
    lang,
    askedFrom,
  }: Omit<SignUpRow, 'id'> & { askedFrom: string }): Promise<string> {
    const [{ id }] = await this.database.query<{ id: string }>(
      `INSERT INTO sign_ups (email, name, password_hash, invitation_hash, lang, asked_from, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(hours => $7)) RETURNING id`,
      [email, name, passwordHash, invitationHash, lang, askedFrom, PENDING_HOURS],
    );
    return id;
  }

  /** Returns the newest sign-up for the e-mail address from that network; by default, the newest from any network. */
  newest(email: string, clientNetwork: string): Promise<Pick<SignUpRow, 'id' | 'lang'> | undefined> {
    return this.database.one<Pick<SignUpRow, 'id' | 'lang'>>(
      `SELECT id, lang FROM sign_ups WHERE email = $1 AND expires_at > clock_timestamp()
       ORDER BY asked_from = $2 DESC, created_at DESC LIMIT 1`,
      [email, clientNetwork],
    );
  }

  /** Returns a pending sign-up. Runs the statement even without an id, so that the duration does not differ. */
  find(id: string | null | undefined): Promise<Pick<SignUpRow, 'id' | 'email' | 'name'> | undefined> {
    return this.database.one<Pick<SignUpRow, 'id' | 'email' | 'name'>>(
      'SELECT id, email, name FROM sign_ups WHERE id = $1::uuid AND expires_at > clock_timestamp()',
      [id ?? null],
    );
  }

  /** Locks all sign-ups for the e-mail address, in the order of their ids. */
  async lockAll(email: string): Promise<void> {
    await this.database.query('SELECT 1 FROM sign_ups WHERE email = $1 ORDER BY id FOR UPDATE', [email]);
  }

  /** Deletes a sign-up that has not expired, and returns it. */
  async take(id: string): Promise<Omit<SignUpRow, 'lang'> | undefined> {
    const [signUp] = await this.database.query<Omit<SignUpRow, 'lang'>>(
      `DELETE FROM sign_ups WHERE id = $1::uuid AND expires_at > clock_timestamp()
       RETURNING id, email, name, password_hash AS "passwordHash", invitation_hash AS "invitationHash"`,
      [id],
    );
    return signUp;
  }

  async deleteAll(email: string): Promise<void> {
    await this.database.query('DELETE FROM sign_ups WHERE email = $1', [email]);
  }
}
