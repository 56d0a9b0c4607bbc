import { Secret } from '../../../platform/http/bodies/fields.js';
import { RedirectUri } from './redirect-uri.field.js';

export class StartSignInDto {
  @RedirectUri()
  redirect_uri: string;
}

/** What the provider sent back with the person, and the token of the start. */
export class FinishSignInDto {
  @Secret({ required: true, example: 'tQ8y3kq', description: 'The token that the start returned.' })
  flow_token: string;

  @Secret({ required: true, example: 'c1b7', description: '`state` as the provider sent it back.' })
  state: string;

  @Secret({ required: true, example: 'Spl0xlO', description: '`code` as the provider sent it back.' })
  code: string;

  @Secret({ description: '`iss` as the provider sent it back, if it did.' })
  iss?: string;
}
