import { Injectable } from '@nestjs/common';
import type { LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { assertMayCall } from '../../../access/operations/may-call.js';
import { StepUp } from '../../../access/second-factor/step-up.js';
import { forbidden } from '../../../common/errors.js';
import { rankOf } from '../../../common/roles.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { TokensService } from '../../tokens/tokens.service.js';
import type { UpdateOrganizationDto } from '../organization.dto.js';
import type { Organization } from '../organization.entity.js';
import { SecondFactorRulesRepository } from './second-factor-rules.repository.js';

const OPERATION = 'organizations_second_factor_set';

type RuleChange = Pick<UpdateOrganizationDto, 'second_factor' | 'revoke_tokens'>;

/** Lets owners require a second factor, and says whom that shuts out. */
@Injectable()
export class SecondFactorRules {
  constructor(
    private readonly rules: SecondFactorRulesRepository,
    private readonly stepUp: StepUp,
    private readonly tokens: TokensService,
  ) {}

  /** 403 for a change of the rule by others than owners, by an access token, or without a recent proof. */
  async assertMayChange(me: Caller, opened: LockedResource<Organization>, change: RuleChange): Promise<void> {
    if (change.second_factor === undefined && change.revoke_tokens === undefined) return;
    if (opened.rank < rankOf('owner')) throw forbidden('the owner role in this organization');
    assertMayCall(OPERATION, me);
    await this.stepUp.assertFor(OPERATION, me);
  }

  /** Ends tokens if the change asks for it, and adds to the changed organization what its rule shuts out. */
  async apply(me: Caller, id: string, change: RuleChange, changed: Representation, isRequired: boolean) {
    const isChange = change.second_factor !== undefined || change.revoke_tokens !== undefined;
    if (!isChange || !isRequired) return changed;
    const people = await this.rules.peopleWithout(id);
    const tokens = await this.tokens.unprovedIn(id);
    const restricted = tokens.filter(({ isRestricted }) => isRestricted).map((token) => token.id);
    if (change.revoke_tokens === true) await this.tokens.endThese(me, restricted);
    return changed.with({
      without_second_factor: people,
      tokens_without_second_factor: tokens.map(({ isRestricted, userId, ...token }) => ({
        ...token,
        user_id: userId,
        is_restricted: isRestricted,
      })),
    });
  }
}
