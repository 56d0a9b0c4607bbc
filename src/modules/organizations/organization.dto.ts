import { JsonObject, Name, OneOf, Text } from '../../platform/http/fields.js';

export class CreateOrganizationDto {
  @Name({ required: true, example: 'Riverside Gardens' })
  name: string;

  @Text()
  description?: string;

  @OneOf(['active', 'inactive'])
  status?: 'active' | 'inactive';

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateOrganizationDto {
  @Name({ nullable: false })
  name?: string;

  @Text()
  description?: string | null;

  @OneOf(['active', 'inactive'], { nullable: false })
  status?: 'active' | 'inactive';

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}
