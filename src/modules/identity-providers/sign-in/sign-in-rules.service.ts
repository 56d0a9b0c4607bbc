import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Sessions, type SignInFacts } from '../../../access/authentication/sessions.js';
import { WaysIn } from '../../../access/authentication/ways-in.js';
import { ApiError, conflict } from '../../../common/errors.js';
import type { SessionMethod } from '../../../common/proofs.js';
import { SignInRulesRepository, type RequiredProvider } from './sign-in-rules.repository.js';

/** The ways in that owners keep, for the day on which the provider does not answer. */
const OF_OWNERS: readonly SessionMethod[] = ['passkey', 'password+totp'];

/** Lets members of organizations sign in only with the provider that their organization requires. */
@Injectable()
export class SignInRules implements OnModuleInit {
  constructor(
    private readonly rules: SignInRulesRepository,
    private readonly sessions: Sessions,
    private readonly waysIn: WaysIn,
  ) {}

  onModuleInit(): void {
    this.sessions.require((userId, method, facts) => this.assertMaySignIn(userId, method, facts));
    this.waysIn.afterLoss((userId) => this.assertOwnersKeepAWayIn(userId));
  }

  /** The names of the providers that are the only way in for the user: a password does not let them in. */
  async requiredOf(userId: string): Promise<string[]> {
    const required = await this.rules.requiredFor(userId);
    return required.filter(({ isOwner }) => !isOwner).map(({ name }) => name);
  }

  /** 409 `no_way_in` if no owner could come in without the provider. */
  async assertOwnerKeepsAWayIn(organizationId: string | null): Promise<void> {
    if (organizationId === null || (await this.rules.hasOwnerWithAWayIn(organizationId))) return;
    throw conflict(
      'no_way_in',
      'An owner of the organization needs a passkey, or a password with a second factor, to come in if the provider does not ' +
        'answer.',
    );
  }

  /** The same after the user has lost a passkey or the second factor. */
  private async assertOwnersKeepAWayIn(userId: string): Promise<void> {
    for (const id of await this.rules.lockRequiredOfOwner(userId)) await this.assertOwnerKeepsAWayIn(id);
  }

  private async assertMaySignIn(userId: string, method: SessionMethod, { provider }: SignInFacts): Promise<void> {
    const required = await this.rules.requiredFor(userId);
    if (required.length === 0 || required.some(({ id }) => id === provider?.providerId)) return;
    if (required.some(({ isOwner }) => isOwner) && OF_OWNERS.includes(method)) return;
    throw ssoRequired(required[0]);
  }
}

const ssoRequired = ({ id, name }: RequiredProvider): ApiError =>
  new ApiError('forbidden', `Your organization lets you sign in only with ${name}.`, {
    required: 'a sign-in with the provider of your organization',
    reason: 'sso_required',
    provider: { id, name },
  });
