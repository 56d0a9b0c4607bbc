import { Injectable } from '@nestjs/common';
import { endeavoursAtHomeIn } from '../../../access/visibility/containers.view.js';
import { isActivePerson, usersWithIds } from '../../../access/visibility/people.view.js';
import { Database } from '../../../platform/database/database.js';
import { hasSecondFactor } from '../../credentials/credential.view.js';
import { hasIdentityThatProves } from '../../identity-providers/identity-provider.view.js';
import { hasPasskey } from '../../passkeys/passkey.view.js';

/** Somebody who cannot fulfil the rule of an organization. */
export interface ShutOutPerson {
  user_id: string;
  name: string;
}

/** Reads whom the rule of an organization on second factors shuts out. */
@Injectable()
export class SecondFactorRulesRepository {
  constructor(private readonly database: Database) {}

  /** The first 1000 active people with a role in the organization or its endeavours who have no way to prove a second factor. */
  peopleWithout(organizationId: string): Promise<ShutOutPerson[]> {
    const people = `SELECT m.user_id FROM organization_resources m WHERE m.organization_id = $1
      UNION SELECT m.user_id FROM endeavour_members m WHERE m.endeavour_id IN (${endeavoursAtHomeIn('$1')})`;
    return this.database.query<ShutOutPerson>(
      `SELECT u.id AS user_id, u.name FROM ${usersWithIds('u', people)} AND ${isActivePerson('u')}
         AND NOT ${hasSecondFactor('u.id')} AND NOT ${hasPasskey('u.id')} AND NOT ${hasIdentityThatProves('u.id', '$1')}
       ORDER BY u.id LIMIT 1000`,
      [organizationId],
    );
  }
}
