import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { isRecord, type JsonRecord } from '../../common/texts/json.js';
import { ChallengesRepository } from './challenges.repository.js';
import { PasskeysRepository, type StoredPasskey } from './passkeys.repository.js';
import { RelyingParty } from './relying-party.js';
import type { ChallengePurpose } from './webauthn-challenge.entity.js';

/** What an authenticator has made for the user. */
export interface NewPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  userHandle: string;
}

/** A right signature: by which passkey, and the uses that the authenticator has counted. */
export interface Assertion {
  passkey: StoredPasskey;
  counter: number;
}

/** The library takes 300 ms to load, so only the first use of a passkey loads it. */
const library = (): Promise<typeof import('@simplewebauthn/server')> => import('@simplewebauthn/server');

/** Checks what authenticators have signed, with a challenge that is used up by it. */
@Injectable()
export class Assertions {
  constructor(
    private readonly challenges: ChallengesRepository,
    private readonly passkeys: PasskeysRepository,
    private readonly relyingParty: RelyingParty,
  ) {}

  /** A new passkey; undefined if it is not for this service, this session or a challenge that is still open. */
  async registered(sessionId: string, credential: JsonRecord): Promise<NewPasskey | undefined> {
    const { id, origins } = this.relyingParty.get();
    const challenge = challengeIn(credential);
    const taken = challenge && (await this.challenges.take(challenge, { purpose: 'register', sessionId }));
    if (!challenge || !taken) return undefined;
    const { verifyRegistrationResponse } = await library();
    const verified = await orUndefined(() =>
      verifyRegistrationResponse({
        response: credential as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origins,
        expectedRPID: id,
        requireUserVerification: true,
      }),
    );
    if (verified?.verified !== true) return undefined;
    const { id: credentialId, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
    const key = Buffer.from(publicKey).toString('base64url');
    return { credentialId, publicKey: key, counter, transports, userHandle: taken.userHandle ?? '' };
  }

  /** The passkey that has signed; undefined if the signature is wrong, or not for this purpose and session. */
  async signed(
    purpose: ChallengePurpose,
    sessionId: string | null,
    credential: JsonRecord,
  ): Promise<Assertion | undefined> {
    const { id, origins } = this.relyingParty.get();
    const challenge = challengeIn(credential);
    const taken = challenge && (await this.challenges.take(challenge, { purpose, sessionId }));
    const passkey = typeof credential.id === 'string' ? await this.passkeys.byCredential(credential.id) : undefined;
    if (!challenge || !taken || passkey === undefined || !isOf(passkey, credential)) return undefined;
    const { verifyAuthenticationResponse } = await library();
    const verified = await orUndefined(() =>
      verifyAuthenticationResponse({
        response: credential as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origins,
        expectedRPID: id,
        requireUserVerification: true,
        // The counter is compared afterwards, because only a right signature makes one that runs backwards suspicious.
        credential: { id: passkey.credentialId, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: 0 },
      }),
    );
    if (verified?.verified !== true) return undefined;
    return { passkey, counter: verified.authenticationInfo.newCounter };
  }
}

/** The challenge that the browser says was signed, which the signature confirms. */
function challengeIn({ response }: JsonRecord): string | undefined {
  if (!isRecord(response) || typeof response.clientDataJSON !== 'string') return undefined;
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return isRecord(data) && typeof data.challenge === 'string' ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the authenticator names the user to whom the passkey belongs; it may name none if it was told which one to use. */
function isOf({ userHandle }: StoredPasskey, { response }: JsonRecord): boolean {
  const named = isRecord(response) ? response.userHandle : undefined;
  return named === undefined || named === null || named === userHandle;
}

/** The library throws for everything that does not fit, also for bytes that are no credential at all. */
async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
