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
  ensure(): Promise<CreatedAdministrator | undefined> {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, DATABASE_URL } = this.settings;
    if (email !== undefined && password !== undefined) return this.locked(() => this.fromSettings(email, password));
    if (DATABASE_URL !== undefined) return Promise.resolve(undefined);
    return this.locked(async () =>
      (await this.repository.hasAdministrator()) ? undefined : this.create(DEFAULT_EMAIL),
    );
  }

  /** Creates an administrator with a random password; an existing user is promoted and keeps the password. */
  async create(address: string): Promise<CreatedAdministrator> {
    const email = normalizedEmail(address);
    return this.database.transaction(async () => {
      if (await this.promote(email)) return { email };
      const password = randomPassword();
      await this.createUser(email, password);
      return { email, password };
    });
  }

  private async fromSettings(address: string, password: string): Promise<CreatedAdministrator | undefined> {
    const email = normalizedEmail(address);
    if (await this.repository.existsWithEmail(email)) return undefined;
    assertGoodPassword('ADMIN_PASSWORD', password, { email });
    await this.createUser(email, password);
    return { email };
  }

  /** Runs `work` under a lock, so that replicas that start at the same time create one administrator. */
  private locked<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await this.repository.lockAdministrators();
      return work();
    });
  }

  private async promote(email: string): Promise<boolean> {
    const id = await this.repository.idByEmail(email);
    if (id === undefined) return false;
    await this.users.changeSelf(id, { isAdmin: true, status: 'active' });
    return true;
  }

  private async createUser(email: string, password: string): Promise<void> {
    const passwordHash = await this.passwords.hash(password);
    await this.userCreation.create(null, { email, name: NAME, isAdmin: true, passwordHash });
  }
}

function normalizedEmail(address: string): string {
  const email = normalizeEmail(address);
  if (email === undefined) throw new Error(`"${address}" is not an e-mail address.`);
  return email;
}
