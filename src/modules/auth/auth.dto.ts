import { Email, Name, Password, Secret, Keyword } from '../../platform/http/bodies/fields.js';
import { CurrentPasswordField, OwnProfile } from '../users/own-fields.js';

const CODE = {
  required: true,
  example: 'k3x-9qa-2mz',
  description: 'The code from the mail; surrounding spaces are ignored.',
};
const NEW_PASSWORD = { required: true, example: 'three garden gates' };

export class EmailDto {
  @Email({ required: true, example: 'ann@example.com' })
  email: string;
}

export class RegisterDto extends EmailDto {
  @Password(NEW_PASSWORD)
  password: string;

  @Name({ required: true, example: 'Ann Archer' })
  name: string;

  @Secret({ description: 'The token of an invitation, whose roles are granted when the account is created.' })
  invitation_token?: string;
}

export class VerifyDto extends EmailDto {
  @Keyword(CODE)
  code: string;
}

export class LoginDto extends EmailDto {
  @Secret({ required: true, anyLength: true, example: 'two wooden ladders' })
  password: string;
}

export class ResetPasswordDto extends VerifyDto {
  @Password(NEW_PASSWORD)
  new_password: string;
}

export class ChangePasswordDto {
  @CurrentPasswordField()
  current_password?: string;

  @Password(NEW_PASSWORD)
  new_password: string;
}

export class ChangeEmailDto {
  @Email({ required: true, example: 'ann@example.org' })
  new_email: string;

  @CurrentPasswordField()
  current_password?: string;
}

export class VerifyEmailDto {
  @Keyword(CODE)
  code: string;
}

export class ProfileDto extends OwnProfile {}
