import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../platform/config/secrets.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { Limits } from '../../platform/limits/limits.js';
import type { CodePurpose } from './code.entity.js';
import { CodesRepository, type CodeBinding, type CodeCandidate, type CodeRequest } from './codes.repository.js';

/** The maximum number of attempts per client network, in total, and of valid codes. */
const MAX_PER_ADDRESS = 5;
const MAX_IN_ALL = 50;
const MAX_LIVE = 3;

/** The validity of codes in minutes, by purpose. */
export const CODE_MINUTES: Readonly<Record<CodePurpose, number>> = {
  verification: 60,
  reset: 15,
  email_change: 60,
  step_up: 15,
};

/** Reads the code request from the data of a mail; codes for users created by administrators have no network. */
export const requestIn = ({ askedFrom, isFromKnown }: Record<string, unknown>): CodeRequest => ({
  askedFrom: typeof askedFrom === 'string' ? askedFrom : '',
  isFromKnown: isFromKnown === true,
});

/** A code that was entered correctly and has not been used yet. */
export interface Match extends CodeBinding {
  id: string;
}

/** Stores and checks mailed codes: they can be used once, allow few attempts, and are stored as keyed hashes. */
@Injectable()
export class Codes {
  private readonly key = this.secrets.keyFor('code');

  constructor(
    private readonly codes: CodesRepository,
    private readonly secrets: Secrets,
    private readonly context: RequestContext,
    private readonly limits: Limits,
  ) {}

  /** The current request, for the data of the mail with the code. */
  request(isFromKnown = false): CodeRequest {
    return { askedFrom: this.context.clientNetwork, isFromKnown };
  }

  /**
   * Stores the code of a mail. It replaces an earlier code for the same subject that was requested from the same
   * network. At most three codes are valid; codes from known networks end last, so that other people cannot invalidate
   * the code that the owner requested.
   */
  async store(
    mailId: string,
    code: string,
    binding: CodeBinding,
    { askedFrom, isFromKnown }: CodeRequest,
  ): Promise<void> {
    const minutes = CODE_MINUTES[binding.purpose];
    await this.codes.endReplaced(binding, { mailId, askedFrom, mostLive: MAX_LIVE });
    await this.codes.store(mailId, this.hashOf(binding, code), binding, { askedFrom, isFromKnown, minutes });
  }

  /**
   * Counts an attempt and compares the code. The count is committed before the comparison, so that concurrent attempts
   * cannot exceed the limit. If there is no code, the same statements run, and the commit does not wait for the disk,
   * whose latency would reveal the difference.
   */
  async checkCode(purpose: CodePurpose, scope: string, enteredCode: string): Promise<Match | undefined> {
    const code = enteredCode.trim().toLowerCase();
    const candidates = await this.codes.countAttempt(purpose, scope, {
      clientNetwork: this.context.clientNetwork,
      mostInAll: MAX_IN_ALL,
      mostPerNetwork: this.limits.isExempt ? MAX_IN_ALL : MAX_PER_ADDRESS,
    });
    const noCode: CodeCandidate = { id: '', subject: '', hash: this.hashOf({ purpose, scope, subject: '' }, '') };
    const compared = candidates.length > 0 ? candidates : [noCode];
    const matches = compared.filter((candidate) =>
      this.isMatch({ purpose, scope, subject: candidate.subject }, code, candidate),
    );
    return matches.map(({ id, subject }) => ({ id, purpose, scope, subject }))[0];
  }

  /** Uses up the code in the transaction of its effect; false if a concurrent request has used it first. */
  use(match: Match): Promise<boolean> {
    return this.codes.end(match);
  }

  /** Ends all valid codes of the purpose and scope, except that of one mail. */
  endAll(purpose: CodePurpose, scope: string, exceptMailId: string | null = null): Promise<void> {
    return this.codes.endAll(purpose, scope, exceptMailId);
  }

  private isMatch(binding: CodeBinding, code: string, { id, hash }: CodeCandidate): boolean {
    const isEqual = timingSafeEqual(Buffer.from(hash), Buffer.from(this.hashOf(binding, code)));
    return isEqual && id !== '';
  }

  private hashOf({ purpose, scope, subject }: CodeBinding, code: string): string {
    return createHmac('sha256', this.key).update([purpose, scope, subject, code].join('\n')).digest('base64url');
  }
}
