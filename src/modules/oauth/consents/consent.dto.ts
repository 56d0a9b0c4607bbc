import { GRANTABLE_SCOPES } from '../oauth-addresses.js';
import { Id, Keyword, Secret, SomeOf } from '../../../platform/http/bodies/fields.js';

/** A request of a program that waits for the consent of a person: one begun in this browser, or by a device. */
export class ConsentRequestDto {
  @Keyword({
    pattern: /^[\w-]+$/,
    example: 'pT3vQ0m8Zk1sYw7uXh2cRb9nLf4jDg6aEi5oVt8xKqM',
    description:
      'The last part of the address of the page `/oauth/consent/`. The cookie that came with the page has to be sent too.',
  })
  authorization?: string;

  @Keyword({ description: 'The code that the device shows, such as WDJB-MJHT, if a device asks.' })
  user_code?: string;
}

export class CreateConsentDto extends ConsentRequestDto {
  @Secret({
    required: true,
    example: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
    description: 'The `consent_token` of the response to `POST /auth/consents/preview` in the same session.',
  })
  consent_token: string;

  @SomeOf(GRANTABLE_SCOPES, {
    required: true,
    example: ['tasks:read'],
    description: 'What you grant: some or all of the scopes that the program asks for.',
  })
  scopes: string[];

  @Id('organization', {
    description:
      'Restricts the grant to entities whose home is this organization. Cannot be combined with endeavour_id.',
  })
  organization_id?: string;

  @Id('endeavour', { description: 'Restricts the grant to this endeavour.' })
  endeavour_id?: string;
}
