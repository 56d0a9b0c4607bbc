import type { JsonRecord } from '../../common/texts/json.js';
import { Name } from '../../platform/http/bodies/fields.js';
import { CredentialField } from './credential.field.js';

export class CreatePasskeyDto {
  @Name({ required: true, example: 'Laptop' })
  name: string;

  @CredentialField(true)
  credential: JsonRecord;
}

export class UpdatePasskeyDto {
  @Name({ nullable: false, example: 'Old laptop' })
  name?: string;
}

export class PasskeyLoginDto {
  @CredentialField(true)
  credential: JsonRecord;
}
