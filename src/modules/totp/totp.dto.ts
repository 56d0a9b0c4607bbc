import { Keyword, Secret } from '../../platform/http/bodies/fields.js';

export class TotpCodeDto {
  @Keyword({ required: true, example: '492039', description: 'The present code of the authenticator app.' })
  code: string;
}

export class SecondFactorCodeDto {
  @Keyword({
    required: true,
    example: '492039',
    description: 'The present code of the authenticator app, or a recovery code.',
  })
  code: string;
}

export class VerifySecondFactorDto extends SecondFactorCodeDto {
  @Secret({
    required: true,
    example: 'pT3vQ0m8Zk1sYw7uXh2cRb9nLf4jDg6aEi5oVt8xKqM',
    description: 'The `pending_token` of the response to `POST /auth/login`.',
  })
  pending_token: string;
}
