import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '../../common/network/email.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { UserCreation } from '../users/user-creation.js';
import { assertGoodPassword } from '../users/password.rules.js';
import { Passwords } from '../users/passwords.js';
import { UsersRepository } from '../users/users.repository.js';
import { UsersService } from '../users/users.service.js';
import { randomPassword } from './random-password.js';

const DEFAULT_EMAIL = 'admin@worksmith.example';
const NAME = 'Administrator';

/** A new administrator; `password` is set only if it was generated, and cannot be read again. */
interface CreatedAdministrator {
  email: string;
  password?: string;
}

/** Creates administrators at the first start or by a command; no API operation does this. */
@Injectable()
export class FirstAdministrator {
  constructor(
    private readonly database: Database,
    private readonly userCreation: UserCreation,
    private readonly passwords: Passwords,
    private readonly repository: UsersRepository,
    private readonly settings: Settings,
    private readonly users: UsersService,
  ) {}

  /**
   * Called at every start. Creates the account of ADMIN_EMAIL and ADMIN_PASSWORD if it does not exist. Without these
   * settings, an embedded database without administrators gets one with a random password. Returns the account if it was
   * created, to be printed.
   */
  async ensure(): Promise<CreatedAdministrator | undefined> {
    const { ADMIN_EMAIL, ADMIN_PASSWORD, DATABASE_URL } = this.settings;
    if (ADMIN_EMAIL !== undefined && ADMIN_PASSWORD !== undefined) {
      const email = normalizedEmail(ADMIN_EMAIL);
      const exists = (): Promise<boolean> => this.repository.existsWithEmail(email);
      const check = (): void => assertGoodPassword('ADMIN_PASSWORD', ADMIN_PASSWORD, { email });
      return (await this.createUnless(exists, email, ADMIN_PASSWORD, check)) ? { email } : undefined;
    }
    if (DATABASE_URL !== undefined) return undefined;
    const password = randomPassword();
    const exists = (): Promise<boolean> => this.repository.hasAdministrator();
    return (await this.createUnless(exists, DEFAULT_EMAIL, password)) ? { email: DEFAULT_EMAIL, password } : undefined;
  }

  /** Creates an administrator with a random password; an existing user is promoted and keeps the password. */
  async create(address: string): Promise<CreatedAdministrator> {
    const email = normalizedEmail(address);
    return this.database.transaction(async () => {
      if (await this.promote(email)) return { email };
      const password = randomPassword();
      const passwordHash = await this.passwords.hash(password);
      await this.userCreation.create(null, { email, name: NAME, isAdmin: true, passwordHash });
      return { email, password };
    });
  }

  /**
   * Replicas that start at the same time create one administrator, under a lock. The password is hashed before: that
   * takes longer than a busy replica may wait for the lock.
   */
  private async createUnless(
    exists: () => Promise<boolean>,
    email: string,
    password: string,
    check: () => void = () => undefined,
  ): Promise<boolean> {
    if (await exists()) return false;
    check();
    const passwordHash = await this.passwords.hash(password);
    return this.database.transaction(async () => {
      await this.repository.lockAdministrators();
      if (await exists()) return false;
      await this.userCreation.create(null, { email, name: NAME, isAdmin: true, passwordHash });
      return true;
    });
  }

  private async promote(email: string): Promise<boolean> {
    const id = await this.repository.idByEmail(email);
    if (id === undefined) return false;
    await this.users.changeSelf(id, { isAdmin: true, status: 'active' });
    return true;
  }
}

function normalizedEmail(address: string): string {
  const email = normalizeEmail(address);
  if (email === undefined) throw new Error(`"${address}" is not an e-mail address.`);
  return email;
}
