import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Sessions } from '../../access/authentication/sessions.js';
import { StepUp } from '../../access/second-factor/step-up.js';
import { ApiError, invalidField } from '../../common/errors.js';
import type { ProofMethod } from '../../common/proofs.js';
import { Database } from '../../platform/database/database.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { unauthorized } from '../../platform/http/responses/to-api-error.js';
import { MailContents } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { AuthLimits } from '../auth/auth-limits.js';
import { SecondFactors } from '../credentials/second-factors.js';
import { ProviderSignIns } from '../identity-providers/sign-in/provider-sign-ins.js';
import { PasskeyProofs } from '../passkeys/passkey-proofs.js';
import { AccountsRepository } from '../users/accounts.repository.js';
import { CODE_MINUTES, Codes, requestIn } from '../users/codes.js';
import { Passwords } from '../users/passwords.js';
import type { StepUpDto } from './step-up.dto.js';

/** The session after a proof. */
export interface Proved {
  status: 'proved';
  proved_at: string;
}

/** The response to the request for a code, whether or not the limits allowed a mail. */
export interface SentCode {
  status: 'code_sent';
  expires_at: string;
}

const WRONG = 'This proof is wrong, already used or expired.';

/** The password is not even compared. */
const CODE_NEEDED =
  'A second factor is on, so the password alone proves nothing. Send a code of your app, or a recovery code.';

const verificationFailed = (message = WRONG): ApiError => new ApiError('verification_failed', message);

/** Accepts proofs that the person of a session is there. */
@Injectable()
export class StepUpService implements OnModuleInit {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly codes: Codes,
    private readonly contents: MailContents,
    private readonly context: RequestContext,
    private readonly database: Database,
    private readonly factors: SecondFactors,
    private readonly limits: AuthLimits,
    private readonly outbox: Outbox,
    private readonly passkeys: PasskeyProofs,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly signIns: ProviderSignIns,
    private readonly stepUp: StepUp,
  ) {}

  onModuleInit(): void {
    this.contents.provide('step_up', async (data, mail) => {
      const userId = String(data.user_id);
      const user = await this.accounts.owner(userId);
      if (user === undefined) return undefined;
      const code = mail.code();
      await this.codes.store(mail.id, code, { purpose: 'step_up', scope: userId, subject: userId }, requestIn(data));
      return { name: user.name, code, minutes: CODE_MINUTES.step_up };
    });
  }

  async prove(me: Caller, dto: StepUpDto): Promise<Proved> {
    const { password, code, credential, oidc } = dto;
    if ([password, code, credential, oidc].filter((proof) => proof !== undefined).length !== 1)
      throw oneProofRequired();
    const methods = await this.stepUp.methodsOf(me.userId);
    if (password !== undefined && methods.includes('totp')) throw verificationFailed(CODE_NEEDED);
    await this.limits.countProof(me.userId);
    if (!(await this.isRight(me, dto, methods))) throw verificationFailed();
    await this.limits.takeBackProof(me.userId);
    const provedAt = await this.sessions.prove(me.sessionId);
    if (provedAt === undefined) throw unauthorized();
    return { status: 'proved', proved_at: provedAt.toISOString() };
  }

  async sendCode(me: Caller): Promise<SentCode> {
    if (!(await this.stepUp.methodsOf(me.userId)).includes('mailed_code')) await this.stepUp.refuse(me);
    await this.limits.requestCode();
    const user = await this.accounts.ownerWithPassword(me.userId, this.context.clientNetwork);
    if (user !== undefined && (await this.limits.mayMail('step_up', user.email, user.isKnown))) {
      const data = { user_id: user.id, ...this.codes.request(user.isKnown) };
      await this.outbox.send({ kind: 'step_up', to: user.email, lang: user.lang, data });
    }
    return { status: 'code_sent', expires_at: new Date(Date.now() + CODE_MINUTES.step_up * 60_000).toISOString() };
  }

  private isRight(
    me: Caller,
    { password, code, credential, oidc }: StepUpDto,
    methods: readonly ProofMethod[],
  ): Promise<boolean> {
    if (credential !== undefined) return this.passkeys.proves(me, credential);
    if (oidc !== undefined) return this.signIns.proves(me, oidc, methods.includes('totp'));
    return code === undefined ? this.isPasswordRight(me, password ?? '', methods) : this.isCodeRight(me, code, methods);
  }

  private async isPasswordRight(me: Caller, password: string, methods: readonly ProofMethod[]): Promise<boolean> {
    if (!methods.includes('password')) return false;
    const user = await this.accounts.ownerWithPassword(me.userId, this.context.clientNetwork);
    return this.passwords.matches(password, user?.passwordHash);
  }

  private async isCodeRight(me: Caller, code: string, methods: readonly ProofMethod[]): Promise<boolean> {
    if (methods.includes('totp')) {
      return this.database.transaction(async () => (await this.factors.use(me.userId, code)) !== undefined);
    }
    if (!methods.includes('mailed_code')) return false;
    const match = await this.codes.checkCode('step_up', me.userId, code);
    return match !== undefined && (await this.database.transaction(() => this.codes.use(match)));
  }
}

const oneProofRequired = (): ApiError =>
  invalidField('password', 'required', 'One of password, code, credential and oidc is required, and only one of them.');
