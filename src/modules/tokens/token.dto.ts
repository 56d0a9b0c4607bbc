import { SCOPES } from '../../access/scopes.js';
import { Id, Instant, Name, SomeOf, Int, StringList } from '../../platform/http/fields.js';

const DAY_SECONDS = 86_400;

export class CreateTokenDto {
  @Name({ required: true, example: 'Nightly import' })
  name: string;

  @SomeOf(SCOPES, {
    required: true,
    description:
      '`<area>:read` and `<area>:write` grant access to one area, `*:read` grants read access to all areas, `*` ' +
      'grants all access.',
    example: ['tasks:read', 'tasks:write'],
  })
  scopes: string[];

  @Id('organization', {
    description:
      'Restricts the token to entities whose home is this organization. Cannot be combined with endeavour_id.',
  })
  organization_id?: string;

  @Id('endeavour', { description: 'Restricts the token to this endeavour.' })
  endeavour_id?: string;

  @Instant({ description: 'Defaults to 90 days from now; at most 365 days unless the service is configured for more.' })
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
