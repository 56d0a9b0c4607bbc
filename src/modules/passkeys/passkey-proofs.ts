import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import type { JsonRecord } from '../../common/texts/json.js';
import { Database } from '../../platform/database/database.js';
import { Limits } from '../../platform/limits/limits.js';
import { LoginService, type LoggedIn } from '../auth/login.service.js';
import { CredentialChanges } from '../users/credential-changes.js';
import { Assertions, type Assertion } from './assertions.js';
import { ChallengesRepository } from './challenges.repository.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { PasskeysService } from './passkeys.service.js';
import { RelyingParty } from './relying-party.js';

/** Limits the rows that clients without a session can cause. */
const OPTIONS = {
  name: 'passkey_options',
  counts: 'sign-ins by passkey that were begun from one address',
  most: 60,
  seconds: 60,
  setting: null,
};
const TIMEOUT_MS = 300_000;
/** EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];
const NAME = 'Worksmith';

/** What a browser needs to make a passkey. */
export interface CreationOptions {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { type: 'public-key'; alg: number }[];
  excludeCredentials: { type: 'public-key'; id: string }[];
  authenticatorSelection: { residentKey: 'required'; requireResidentKey: true; userVerification: 'required' };
  attestation: 'none';
  timeout: number;
}

/** What a browser needs to use a passkey. */
export interface RequestOptions {
  challenge: string;
  rpId: string;
  allowCredentials: { type: 'public-key'; id: string }[];
  userVerification: 'required';
  timeout: number;
}

/** Begins and ends what authenticators do: making passkeys, and proving with them. A passkey is both factors. */
@Injectable()
export class PasskeyProofs {
  constructor(
    private readonly assertions: Assertions,
    private readonly challenges: ChallengesRepository,
    private readonly changes: CredentialChanges,
    private readonly database: Database,
    private readonly limits: Limits,
    private readonly logins: LoginService,
    private readonly passkeys: PasskeysService,
    private readonly repository: PasskeysRepository,
    private readonly relyingParty: RelyingParty,
  ) {}

  async creationOptions(me: Caller): Promise<CreationOptions> {
    const { id } = this.relyingParty.get();
    const { userHandle, present } = await this.passkeys.userHandleOf(me);
    const challenge = await this.challenges.create({ purpose: 'register', sessionId: me.sessionId, userHandle });
    return {
      challenge,
      rp: { id, name: NAME },
      user: { id: userHandle, name: me.name, displayName: me.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: present.map((credential) => ({ type: 'public-key', id: credential })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
      timeout: TIMEOUT_MS,
    };
  }

  /** The same for everybody: the authenticator knows whose passkeys it has. */
  async loginOptions(): Promise<RequestOptions> {
    const { id } = this.relyingParty.get();
    await this.limits.consumeForAddress(OPTIONS);
    return requestOptions(id, await this.challenges.create({ purpose: 'login', sessionId: null }));
  }

  async stepUpOptions(me: Caller): Promise<RequestOptions> {
    const { id } = this.relyingParty.get();
    const { present } = await this.passkeys.userHandleOf(me);
    const challenge = await this.challenges.create({ purpose: 'step_up', sessionId: me.sessionId });
    return requestOptions(id, challenge, present);
  }

  async login(credential: JsonRecord): Promise<LoggedIn> {
    const assertion = await this.assertions.signed('login', null, credential);
    if (assertion === undefined) throw this.logins.refusalOf('passkey');
    const { userId } = assertion.passkey;
    if (!(await this.use(assertion))) throw this.logins.refusalOf('passkey', { id: userId });
    return this.database.transaction(() => this.logins.openProved(userId, 'passkey'));
  }

  /** Whether a passkey of the caller has signed for a proof in this session. */
  async proves(me: Caller, credential: JsonRecord): Promise<boolean> {
    const assertion = await this.assertions.signed('step_up', me.sessionId, credential);
    return assertion !== undefined && assertion.passkey.userId === me.userId && this.use(assertion);
  }

  /** Counts the use; a counter that runs backwards means that there are two copies of the passkey. */
  private use({ passkey, counter }: Assertion): Promise<boolean> {
    return this.database.transaction(async () => {
      if (await this.repository.count(passkey.id, counter)) return true;
      await this.changes.record(passkey.userId, 'passkey.copied');
      return false;
    });
  }
}

const requestOptions = (rpId: string, challenge: string, present: readonly string[] = []): RequestOptions => ({
  challenge,
  rpId,
  allowCredentials: present.map((id) => ({ type: 'public-key', id })),
  userVerification: 'required',
  timeout: TIMEOUT_MS,
});
