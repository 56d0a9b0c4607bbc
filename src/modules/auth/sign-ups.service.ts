import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Sessions, type SignedIn } from '../../access/authentication/sessions.js';
import { conflict, ApiError } from '../../common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { preferredLanguage } from '../../platform/mail/languages.js';
import { MailContents, type MailAttempt, type MailValues } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { invalidToken } from '../invitations/invitation-tokens.js';
import { InvitationAcceptanceService, type Accepter } from '../invitations/invitation-acceptance.service.js';
import { EmailUniqueness } from '../users/email-uniqueness.js';
import { CODE_MINUTES, Codes, requestIn, type Match } from '../users/codes.js';
import { UserCreation } from '../users/user-creation.js';
import { assertGoodPassword } from '../users/password.rules.js';
import { Passwords } from '../users/passwords.js';
import { userView } from '../users/user.view.js';
import { AuthLimits } from './auth-limits.js';
import { pendingCode, type Pending } from './pending-code.js';
import { SignUpsRepository } from './sign-ups.repository.js';
import type { RegisterDto, VerifyDto } from './auth.dto.js';

/** The public status of a sign-up, which is the same for every e-mail address. */
export interface VerificationStatus {
  found: true;
  email: string;
  expired: false;
  expires_at: string;
}

/** The session and user after a successful verification. */
export interface Verified extends SignedIn {
  status: 'verified';
  user_id: string;
  name: string;
  email: string;
}

const verificationFailed = (): ApiError =>
  new ApiError('verification_failed', 'This code is wrong, already used or expired.');

/**
 * Handles registrations, which are pending until a code sent by mail confirms the e-mail address. Several can be pending
 * for one address, because the address is not verified when it is entered; each code activates its own sign-up.
 */
@Injectable()
export class SignUpsService implements OnModuleInit {
  constructor(
    private readonly emailUniqueness: EmailUniqueness,
    private readonly codes: Codes,
    private readonly contents: MailContents,
    private readonly database: Database,
    private readonly userCreation: UserCreation,
    private readonly context: RequestContext,
    private readonly invitations: InvitationAcceptanceService,
    private readonly limits: AuthLimits,
    private readonly outbox: Outbox,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly settings: Settings,
    private readonly signUps: SignUpsRepository,
  ) {}

  onModuleInit(): void {
    this.contents.provide('verification', (data, mail) => this.composeMail(data, mail));
  }

  async register(dto: RegisterDto): Promise<Pending> {
    const { email, name, password, invitation_token: token } = dto;
    assertGoodPassword('password', password, { email, name });
    const invitationHash = await this.countRegistration(token, email);
    if (await this.emailUniqueness.isTaken(email)) {
      throw conflict('email_taken', 'An account with this e-mail address already exists.');
    }
    const passwordHash = await this.passwords.hash(password);
    const mayMail = await this.limits.mayMail('verification', email);
    const lang = preferredLanguage(this.context.acceptLanguage);
    await this.database.transaction(async () => {
      const askedFrom = this.context.clientNetwork;
      const id = await this.signUps.insert({ email, name, passwordHash, invitationHash, lang, askedFrom });
      if (mayMail) await this.sendMail(email, { id, lang });
    });
    return pendingCode(email, CODE_MINUTES.verification);
  }

  /**
   * Counts the registration, with an invitation by that, otherwise by the client address. Returns the hash of the
   * invitation, null without one; 400 `invalid_token` if it cannot be used.
   */
  private async countRegistration(token: string | undefined, email: string): Promise<string | null> {
    const invitation = token === undefined ? undefined : await this.invitations.usable(token, email);
    if (invitation !== undefined && invitation.usesLeft > 0) {
      await this.limits.registerInvited(invitation);
      return invitation.hash;
    }
    await this.limits.register();
    if (invitation !== undefined) throw invalidToken();
    if (!this.settings.SELF_REGISTRATION) throw selfRegistrationDisabled();
    return null;
  }

  /** Returns the same status for every e-mail address, whether or not a sign-up is pending. */
  status(email: string): VerificationStatus {
    const { expires_at } = pendingCode(email, CODE_MINUTES.verification);
    return { found: true, email, expired: false, expires_at };
  }

  /** Has the same response and duration whether or not a sign-up is pending; without one, the mail is dropped later. */
  async resend(email: string): Promise<{ status: 'code_resent' }> {
    await this.limits.requestCode();
    if (await this.limits.mayMail('verification', email)) {
      await this.database.transaction(() => this.sendAgain(email));
    }
    return { status: 'code_resent' };
  }

  async verify({ email, code }: VerifyDto): Promise<Verified> {
    const match = await this.codes.checkCode('verification', email, code);
    if (match === undefined) throw verificationFailed();
    return this.database.transaction(() => this.activate(email, match));
  }

  private async sendAgain(email: string): Promise<void> {
    await this.sendMail(email, await this.signUps.newest(email, this.context.clientNetwork));
  }

  /** Queues a mail even without a sign-up, so that the duration does not reveal whether one is pending. */
  private async sendMail(email: string, signUp?: { id: string; lang: string }): Promise<void> {
    const data = { sign_up_id: signUp?.id ?? null, ...this.codes.request() };
    await this.outbox.send({ kind: 'verification', to: email, lang: signUp?.lang ?? 'en', data });
  }

  private async composeMail(data: Record<string, unknown>, mail: MailAttempt): Promise<MailValues | undefined> {
    const signUp = await this.signUps.find(data.sign_up_id as string | null | undefined);
    if (signUp === undefined) return undefined;
    const code = mail.code();
    const binding = { purpose: 'verification', scope: signUp.email, subject: signUp.id } as const;
    await this.codes.store(mail.id, code, binding, requestIn(data));
    return { name: signUp.name, code, minutes: CODE_MINUTES.verification };
  }

  /** Creates and signs in the user, and deletes all other sign-ups for the e-mail address. */
  private async activate(scope: string, match: Match): Promise<Verified> {
    await this.signUps.lockAll(scope);
    if (!(await this.codes.use(match))) throw verificationFailed();
    const signUp = await this.signUps.take(match.subject);
    if (signUp === undefined || (await this.emailUniqueness.isTaken(signUp.email))) throw verificationFailed();
    const { email, name, passwordHash, invitationHash } = signUp;
    const account = { email, name, passwordHash, loginCount: 1, lastActiveAt: new Date() };
    const created = await this.userCreation.create(null, account).catch(failIfTaken);
    const user = created.read(userView);
    await this.acceptInvitation(invitationHash, { userId: user.id, resourceId: user.resource_id, name, email });
    await this.signUps.deleteAll(email);
    await this.codes.endAll('verification', email);
    return { status: 'verified', user_id: user.id, name, email, ...(await this.sessions.open(user.id)) };
  }

  /**
   * Grants the roles of the invitation, unless it is no longer valid. In that case the sign-up fails only if
   * self-registration is disabled.
   */
  private async acceptInvitation(hash: string | null, user: Accepter): Promise<void> {
    if (hash === null) return;
    const isAccepted = await this.invitations.tryToAccept(user, hash);
    if (!isAccepted && !this.settings.SELF_REGISTRATION) throw verificationFailed();
  }
}

/** An address that was taken meanwhile gets the answer of one that was taken before. */
function failIfTaken(error: unknown): never {
  throw error instanceof ApiError && error.code === 'conflict' ? verificationFailed() : error;
}

const selfRegistrationDisabled = (): ApiError =>
  new ApiError('self_registration_disabled', 'Self-registration is disabled; ask for an invitation.');
