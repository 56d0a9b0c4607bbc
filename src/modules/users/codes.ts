import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../platform/config/secrets.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { Limits } from '../../platform/limits/limits.js';
import type { CodePurpose } from './code.entity.js';
import { CodesRepository, type CodeBinding, type CodeCandidate, type Request } from './codes.repository.js';

const MOST_PER_ADDRESS = 5;
const MOST_IN_ALL = 50;
const MOST_LIVE = 3;

/** How long each sort of code is good for, in minutes. */
export const CODE_MINUTES: Readonly<Record<CodePurpose, number>> = { verification: 60, reset: 15, email_change: 60 };

/** The request that the data of a mail remember; an administrator's has no network. */
export const requestIn = ({ askedFrom, isFromKnown }: Record<string, unknown>): Request => ({
  askedFrom: typeof askedFrom === 'string' ? askedFrom : '',
  isFromKnown: isFromKnown === true,
});

/** A code that was guessed right, and not yet used. */
export interface Match extends CodeBinding {
  id: string;
}

/** Keeps the codes that mails carry: single use, few guesses, never more than a keyed hash. */
@Injectable()
export class Codes {
  private readonly key = this.secrets.keyFor('code');

  constructor(
    private readonly codes: CodesRepository,
    private readonly secrets: Secrets,
    private readonly context: RequestContext,
    private readonly limits: Limits,
  ) {}

  /** The request under way, as the mail that answers it is to remember it. */
  request(isFromKnown = false): Request {
    return { askedFrom: this.context.clientNetwork, isFromKnown };
  }

  /**
   * Keeps the code that a mail is about to carry. The one that was asked for before it from the same network, for the
   * same subject, is void; of the others so many stay that three are alive, those from known addresses first, so that
   * requests of strangers do not void the code that the owner asked for.
   */
  async keep(mailId: string, code: string, binding: CodeBinding, { askedFrom, isFromKnown }: Request): Promise<void> {
    const minutes = CODE_MINUTES[binding.purpose];
    await this.codes.endReplaced(binding, { mailId, askedFrom, mostLive: MOST_LIVE });
    await this.codes.keep(mailId, this.hashOf(binding, code), binding, { askedFrom, isFromKnown, minutes });
  }

  /**
   * Counts an attempt and checks it. The count is committed before the comparison, so that concurrent attempts cannot
   * exceed the limit. The same statements run without a code; the commit does not wait for the disk, whose latency would
   * reveal the difference.
   */
  async guess(purpose: CodePurpose, scope: string, given: string): Promise<Match | undefined> {
    const code = given.trim().toLowerCase();
    const candidates = await this.codes.countAttempt(purpose, scope, {
      clientNetwork: this.context.clientNetwork,
      mostInAll: MOST_IN_ALL,
      mostPerNetwork: this.limits.isExempt ? MOST_IN_ALL : MOST_PER_ADDRESS,
    });
    const nothing: CodeCandidate = { id: '', subject: '', hash: this.hashOf({ purpose, scope, subject: '' }, '') };
    const tried = candidates.length > 0 ? candidates : [nothing];
    const right = tried.filter((candidate) =>
      this.isRight({ purpose, scope, subject: candidate.subject }, code, candidate),
    );
    return right.map(({ id, subject }) => ({ id, purpose, scope, subject }))[0];
  }

  /** Consumes the code in the transaction of its effect; false if a concurrent request was faster. */
  use(match: Match): Promise<boolean> {
    return this.codes.end(match);
  }

  /** Ends every code of that purpose that is waiting there, but that of one mail. */
  endAll(purpose: CodePurpose, scope: string, exceptMailId: string | null = null): Promise<void> {
    return this.codes.endAll(purpose, scope, exceptMailId);
  }

  private isRight(binding: CodeBinding, code: string, { id, hash }: CodeCandidate): boolean {
    const isEqual = timingSafeEqual(Buffer.from(hash), Buffer.from(this.hashOf(binding, code)));
    return isEqual && id !== '';
  }

  private hashOf({ purpose, scope, subject }: CodeBinding, code: string): string {
    return createHmac('sha256', this.key).update([purpose, scope, subject, code].join('\n')).digest('base64url');
  }
}
