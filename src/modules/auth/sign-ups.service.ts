import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Sessions, type SignedIn } from '../../access/sessions.js';
import { conflict, ApiError } from '../../common/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { preferredLanguage } from '../../platform/mail/languages.js';
import { MailContents, type MailAttempt, type MailValues } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
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

/** The public status of a sign-up, which is the same for every address. */
export interface VerificationStatus {
  found: true;
  email: string;
  expired: false;
  expires_at: string;
}

/** A user who was just created and is signed in. */
export interface Verified extends SignedIn {
  status: 'verified';
  user_id: string;
  name: string;
  email: string;
}

const verificationFailed = (): ApiError =>
  new ApiError('verification_failed', 'This code is wrong, already used or expired.');

/**
 * Handles registrations, which are pending until a mailed code confirms the address. Several can be pending for one
 * address, because anyone can enter it; each code creates the user of its own sign-up.
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
    this.contents.provide('verification', (data, mail) => this.mailFor(data, mail));
  }

  async register(dto: RegisterDto): Promise<Pending> {
    const { email, name, password, invitation_token: token } = dto;
    assertGoodPassword('password', password, { email, name });
    await this.limits.register();
    if (token === undefined && !this.settings.SELF_REGISTRATION) throw selfRegistrationDisabled();
    const invitationHash = token === undefined ? null : await this.invitations.hashOfUsable(token, email);
    if (await this.emailUniqueness.isTaken(email)) {
      throw conflict('email_taken', 'An account with this e-mail address already exists.');
    }
    const passwordHash = await this.passwords.hash(password);
    const mayMail = await this.limits.mayMail('verification', email);
    const lang = preferredLanguage(this.context.acceptLanguage);
    await this.database.transaction(async () => {
      const askedFrom = this.context.clientNetwork;
      const id = await this.signUps.keep({ email, name, passwordHash, invitationHash, lang, askedFrom });
      if (mayMail) await this.mail(email, { id, lang });
    });
    return pendingCode(email, CODE_MINUTES.verification);
  }

  /** The same for every address, known or not. */
  status(email: string): VerificationStatus {
    const { expires_at } = pendingCode(email, CODE_MINUTES.verification);
    return { found: true, email, expired: false, expires_at };
  }

  /** Gives the same answer with the same work whether or not a sign-up is pending; a mail without one is dropped. */
  async resend(email: string): Promise<{ status: 'code_resent' }> {
    await this.limits.requestCode();
    if (await this.limits.mayMail('verification', email)) {
      await this.database.transaction(() => this.sendAgain(email));
    }
    return { status: 'code_resent' };
  }

  async verify({ email, code }: VerifyDto): Promise<Verified> {
    const match = await this.codes.guess('verification', email, code);
    if (match === undefined) throw verificationFailed();
    return this.database.transaction(() => this.activate(email, match));
  }

  /** For the newest sign-up from the same network, else the newest from any. */
  private async sendAgain(email: string): Promise<void> {
    await this.mail(email, await this.signUps.newest(email, this.context.clientNetwork));
  }

  /** A mail is queued without a sign-up too, and dropped later: the duration must not reveal the difference. */
  private async mail(email: string, signUp?: { id: string; lang: string }): Promise<void> {
    const data = { sign_up_id: signUp?.id ?? null, ...this.codes.request() };
    await this.outbox.send({ kind: 'verification', to: email, lang: signUp?.lang ?? 'en', data });
  }

  private async mailFor(data: Record<string, unknown>, mail: MailAttempt): Promise<MailValues | undefined> {
    const waiting = await this.signUps.find(data.sign_up_id as string | null | undefined);
    if (waiting === undefined) return undefined;
    const code = mail.code();
    const binding = { purpose: 'verification', scope: waiting.email, subject: waiting.id } as const;
    await this.codes.keep(mail.id, code, binding, requestIn(data));
    return { name: waiting.name, code, minutes: CODE_MINUTES.verification };
  }

  /** All other sign-ups for the address end: it now belongs to a user. */
  private async activate(scope: string, match: Match): Promise<Verified> {
    await this.signUps.lockAll(scope);
    if (!(await this.codes.use(match))) throw verificationFailed();
    const waiting = await this.signUps.take(match.subject);
    if (waiting === undefined || (await this.emailUniqueness.isTaken(waiting.email))) throw verificationFailed();
    const { email, name, passwordHash, invitationHash } = waiting;
    const made = await this.userCreation.create(null, {
      email,
      name,
      passwordHash,
      loginCount: 1,
      lastActiveAt: new Date(),
    });
    const user = made.read(userView);
    await this.redeem(invitationHash, { userId: user.id, resourceId: user.resource_id, name, email });
    await this.signUps.deleteAll(email);
    await this.codes.endAll('verification', email);
    return { status: 'verified', user_id: user.id, name, email, ...(await this.sessions.open(user.id)) };
  }

  /**
   * If the invitation has become invalid, its roles are not granted; the account is refused only if it needs the
   * invitation.
   */
  private async redeem(hash: string | null, user: Accepter): Promise<void> {
    if (hash === null) return;
    const isAccepted = await this.invitations.tryToAccept(user, hash);
    if (!isAccepted && !this.settings.SELF_REGISTRATION) throw verificationFailed();
  }
}

const selfRegistrationDisabled = (): ApiError =>
  new ApiError('self_registration_disabled', 'Self-registration is disabled; ask for an invitation.');
