import { SCOPES } from '../../access/scopes.js';
import { Id, Instant, Name, SomeOf, Whole, Words } from '../../platform/http/fields.js';

const DAY_SECONDS = 86_400;

export class CreateTokenDto {
  @Name({ required: true, example: 'Nightly import' })
  name: string;

  @SomeOf(SCOPES, {
    required: true,
    description: '`<area>:read` and `<area>:write` by area, `*:read` reads everywhere, `*` does everything.',
    example: ['tasks:read', 'tasks:write'],
  })
  scopes: string[];

  @Id('organization', {
    description: 'Nothing exists for the token but what has its home there. Not with endeavour_id.',
  })
  organization_id?: string;

  @Id('endeavour', { description: 'Nothing exists for the token but what is in this endeavour.' })
  endeavour_id?: string;

  @Instant({ description: '90 days from now by default; 365 at most, unless the service is set up for more.' })
  expires_at?: string;

  @Words({ max: 50, each: 50, description: 'IP addresses and networks from which it may be used; all by default.' })
  allowed_networks?: string[];
}

export class UpdateTokenDto {
  @Name({ nullable: false })
  name?: string;
}

export class RotateTokenDto {
  @Whole({ max: DAY_SECONDS, description: 'For so many seconds the old secret still works; 0 by default.' })
  overlap?: number;
}
