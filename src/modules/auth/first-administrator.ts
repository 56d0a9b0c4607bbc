import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '../../common/email.js';
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

/** An administrator who was just created; `password` is set only if it was generated, and is never shown again. */
export interface CreatedAdministrator {
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
   * Called at every start. Creates the account of ADMIN_EMAIL and ADMIN_PASSWORD if it does not exist; without them,
   * the embedded default gets one with a random password. Returns what is to be printed, if one was created.
   */
  ensure(): Promise<CreatedAdministrator | undefined> {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, DATABASE_URL } = this.settings;
    if (email !== undefined && password !== undefined) return this.alone(() => this.fromSettings(email, password));
    if (DATABASE_URL !== undefined) return Promise.resolve(undefined);
    return this.alone(async () =>
      (await this.repository.hasAdministrator()) ? undefined : this.create(DEFAULT_EMAIL),
    );
  }

  /** Creates an administrator with a random password; an existing user is promoted and keeps the password. */
  async create(given: string): Promise<CreatedAdministrator> {
    const email = addressOf(given);
    return this.database.transaction(async () => {
      if (await this.promote(email)) return { email };
      const password = randomPassword();
      await this.enroll(email, password);
      return { email, password };
    });
  }

  private async fromSettings(given: string, password: string): Promise<CreatedAdministrator | undefined> {
    const email = addressOf(given);
    if (await this.repository.existsWithEmail(email)) return undefined;
    assertGoodPassword('ADMIN_PASSWORD', password, { email });
    await this.enroll(email, password);
    return { email };
  }

  /** Replicas that start at the same time must not each create one. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
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

  private async enroll(email: string, password: string): Promise<void> {
    const passwordHash = await this.passwords.hash(password);
    await this.userCreation.create(null, { email, name: NAME, isAdmin: true, passwordHash });
  }
}

function addressOf(text: string): string {
  const email = normalizeEmail(text);
  if (email === undefined) throw new Error(`${text} is not an e-mail address`);
  return email;
}
