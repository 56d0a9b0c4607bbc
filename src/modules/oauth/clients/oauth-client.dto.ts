import { Name, OneOf, SomeOf, StringList } from '../../../platform/http/bodies/fields.js';
import {
  AUTH_METHODS,
  GRANT_TYPES,
  MAX_REDIRECT_URI,
  MAX_REDIRECT_URIS,
  type AuthMethod,
  type GrantType,
} from './oauth-client.entity.js';

const NAME = { description: 'The name that people see when they are asked.' };
const REDIRECT_URIS = {
  max: MAX_REDIRECT_URIS,
  each: MAX_REDIRECT_URI,
  description:
    'Where answers may go: https addresses, http addresses of this machine (127.0.0.1, [::1], localhost; any port is ' +
    'accepted), or those with a scheme of the program, such as com.example.app:/callback. Without a fragment, compared exactly. ' +
    'Required for authorization_code.',
  example: ['https://app.example.com/callback'],
};
const GRANTS = { description: 'How the program can get tokens; defaults to authorization_code and refresh_token.' };
const AUTH_METHOD = {
  description:
    'How the program proves that it is itself; defaults to none. With another method, it gets a secret. It cannot be changed.',
};

export class CreateOauthClientDto {
  @Name({ ...NAME, required: true, example: 'Example calendar' })
  name: string;

  @StringList(REDIRECT_URIS)
  redirect_uris?: string[];

  @SomeOf(GRANT_TYPES, GRANTS)
  grant_types?: GrantType[];

  @OneOf(AUTH_METHODS, AUTH_METHOD)
  token_endpoint_auth_method?: AuthMethod;
}

export class UpdateOauthClientDto {
  @Name({ ...NAME, nullable: false })
  name?: string;

  @StringList({ ...REDIRECT_URIS, nullable: false })
  redirect_uris?: string[];

  @SomeOf(GRANT_TYPES, { ...GRANTS, nullable: false })
  grant_types?: GrantType[];
}
