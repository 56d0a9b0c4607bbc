import { CREATED_TOKEN_KINDS, type CreatedTokenKind } from '../../access/authentication/calendar-tokens.js';
import { TOKEN_SCOPES } from '../../access/permissions/token-scope.js';
import type { JsonRecord } from '../../common/texts/json.js';
import { Id, Instant, Name, OneOf, SomeOf, Int, StringList } from '../../platform/http/bodies/fields.js';

const DAY_SECONDS = 86_400;

const isForAccess = ({ kind }: JsonRecord): boolean => kind !== 'calendar';

export class CreateTokenDto {
  @Name({
    requiredIf: isForAccess,
    example: 'Nightly import',
    description: 'The name. Required for tokens of the kind access; others are called Calendar by default.',
  })
  name?: string;

  @OneOf(CREATED_TOKEN_KINDS, {
    description:
      'access (the default) for requests within the scopes; calendar for the address of GET ' +
      '/endeavours/{id}/calendar.ics, or of GET /calendar.ics without an endeavour_id, where the token is sent as a query ' +
      'parameter, and nowhere else.',
  })
  kind?: CreatedTokenKind;

  @SomeOf(TOKEN_SCOPES, {
    requiredIf: isForAccess,
    description:
      'Required for tokens of the kind access, and not allowed for others. ' +
      '`<area>:read` and `<area>:write` grant access to one area, `*:read` grants read access to all areas, `*` ' +
      'grants all access.',
    example: ['tasks:read', 'tasks:write'],
  })
  scopes?: string[];

  @Id('organization', {
    description:
      'Restricts the token to entities whose home is this organization. Cannot be combined with endeavour_id.',
  })
  organization_id?: string;

  @Id('endeavour', {
    description:
      'Restricts the token to this endeavour. A token of the kind calendar opens its calendar, and your own without it.',
  })
  endeavour_id?: string;

  @Instant({
    description:
      'Defaults to 90 days from now; at most 365 days unless the service is configured for more. A token of the kind ' +
      'calendar lives on without it as long as it is used once in 400 days.',
  })
  expires_at?: string;

  @StringList({
    max: 50,
    each: 50,
    description: 'The IP addresses and networks from which the token can be used; by default all.',
  })
  allowed_networks?: string[];
}

export class UpdateTokenDto {
  @Name({ nullable: false })
  name?: string;
}

export class RotateTokenDto {
  @Int({
    max: DAY_SECONDS,
    description: 'The number of seconds during which the old secret still works; defaults to 0.',
    example: 300,
  })
  overlap?: number;
}
