import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { isInvitationBy } from '../invitations/invitation-references.view.js';
import { deliveriesTo, eraseCopiesTo, eraseLeadingNames } from '../messages/message-references.view.js';
import { eraseIdentities, eraseOrganizationAccount } from '../identity-providers/identities/identity.view.js';
import { eraseOauthItems } from '../oauth/oauth-item.view.js';
import { erasePasskeys } from '../passkeys/passkey.view.js';
import { eraseScimGroups, eraseScimTokenMaker, eraseScimUsers } from '../scim/users/scim-user.view.js';
import { eraseWatches } from '../watches/watch.view.js';
import { eraseOwnViews } from '../views/own-views.view.js';
import { eraseNotifications } from '../notifications/own-notifications.view.js';

/** The identifying data of a person who is erased. */
export interface Person {
  userId: string;
  resourceId: string;
  email: string;
  name: string;
}

/**
 * The statements that erase personal data outside of the user and the resource; `$1` to `$4` are the properties of a
 * {@link Person}.
 */
const STATEMENTS: readonly string[] = [
  `UPDATE sessions SET client_address = NULL, user_agent = NULL, provider_subject = NULL, provider_sid = NULL,
     ended_at = coalesce(ended_at, now()) WHERE user_id = $1`,
  `DELETE FROM known_addresses WHERE user_id = $1`,
  `DELETE FROM outbox WHERE recipient = $3 OR data ->> 'user_id' = $1 OR data ->> 'new_email' = $3
     OR data ->> 'delivery_id' IN (${deliveriesTo('$1')})`,
  // The tokens come first, so that no address is recorded for them after the deletion of addresses.
  `UPDATE access_tokens SET name = 'Access token', allowed_networks = '{}',
     ended_at = coalesce(ended_at, now()) WHERE user_id = $1`,
  ...['access_token_secrets', 'access_token_uses'].map(
    (table) => `DELETE FROM ${table} WHERE token_id IN (SELECT a.id FROM access_tokens a WHERE a.user_id = $1)`,
  ),
  eraseOauthItems('$1'),
  erasePasskeys('$1'),
  eraseIdentities('$1'),
  eraseOrganizationAccount('$1'),
  eraseScimUsers('$1'),
  eraseScimGroups('$1'),
  eraseScimTokenMaker('$1'),
  eraseNotifications('$1'),
  eraseWatches('$2'),
  eraseCopiesTo('$1'),
  `DELETE FROM idempotency_keys WHERE user_id = $1`,
  // Stored responses to other users may contain the name of the person besides the id.
  `UPDATE idempotency_keys
   SET body = replace(replace(body, to_json($4::text)::text, '"Deleted user"'), to_json($3::text)::text, 'null')
   WHERE strpos(body, $1) > 0 OR strpos(body, $2) > 0`,
];

/** Erases a person from the tables that no other service clears. */
@Injectable()
export class ErasureRepository {
  constructor(private readonly database: Database) {}

  async erasePersonalData({ userId, resourceId, email, name }: Person): Promise<void> {
    for (const sql of STATEMENTS) {
      const parameters = [userId, resourceId, email, name];
      // Names all parameters and their types, because a statement may use only some of them.
      const typed = `WITH named AS (SELECT $1::text, $2::text, $3::text, $4::text) ${sql}`;
      await this.database.query(typed, parameters);
    }
  }

  /** Deletes the views that are the person's own; returns their ids. */
  async eraseOwnViews(userId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(eraseOwnViews('$1'), [userId]);
    return rows.map(({ id }) => id);
  }

  /** Every name that the person ever had. */
  async namesOf(userId: string): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      `SELECT v.data ->> 'name' AS name FROM events v WHERE v.entity_id = $1 AND v.data ->> 'name' IS NOT NULL
       UNION SELECT v.previous ->> 'name' FROM events v WHERE v.entity_id = $1 AND v.previous ->> 'name' IS NOT NULL`,
      [userId],
    );
    return rows.map(({ name }) => name);
  }

  /** Replaces the person's names in messages that the service sent on their behalf: invitations and additions. */
  async eraseNamesInMessages({ userId, resourceId }: Person, names: readonly string[]): Promise<void> {
    await this.database.query(
      eraseLeadingNames(
        '$3::text[]',
        `(${isInvitationBy("m.metadata ->> 'invitation_id'", '$1')}
          OR EXISTS (SELECT 1 FROM events v WHERE v.entity_id = m.entity_id AND v.actor_id = $2 AND v.type = 'member.added'))`,
      ),
      [userId, resourceId, names],
    );
  }
}
