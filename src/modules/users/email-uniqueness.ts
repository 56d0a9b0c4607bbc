import { Injectable } from '@nestjs/common';
import { conflict, type ApiError } from '../../common/errors.js';
import { driverError } from '../../platform/database/connections/driver-errors.js';
import { Outbox } from '../../platform/mail/outbox.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

const emailTaken = (): ApiError => conflict('email_taken', 'An account with this e-mail address already exists.');

/** Ensures that each e-mail address belongs to one user, and notifies the old address of a change. */
@Injectable()
export class EmailUniqueness {
  constructor(
    private readonly outbox: Outbox,
    private readonly users: UsersRepository,
  ) {}

  /** 409 if another account has the address. */
  async assertFree(email: string, exceptUserId: string | null = null): Promise<void> {
    if (await this.isTaken(email, exceptUserId)) throw emailTaken();
  }

  isTaken(email: string, exceptUserId: string | null = null): Promise<boolean> {
    return this.users.isEmailTaken(email, exceptUserId);
  }

  /** Turns the violation of the unique index by a concurrent request into the 409 of {@link assertFree}. */
  async translateConflict<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      throw driverError(error)?.constraint === 'users_email_idx' ? emailTaken() : error;
    }
  }

  /** Mails the new address that it is used from now on, for a change that its owner has not confirmed. */
  async notifyNewAddress({ id, name, lang }: User, next: string): Promise<void> {
    await this.outbox.send({ kind: 'email_assigned', to: next, lang, data: { user_id: id, name, new_email: next } });
  }

  /** Mails the old address that it is no longer used. */
  async notifyFormerAddress({ id, email, name, lang }: User, next: string): Promise<void> {
    if (next === email) return;
    await this.outbox.send({ kind: 'email_changed', to: email, lang, data: { user_id: id, name, new_email: next } });
  }
}
