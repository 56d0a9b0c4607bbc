import { Keyword } from '../../../platform/http/bodies/fields.js';

/** A body property with the address to which a provider sends the person back. */
export const RedirectUri = (): PropertyDecorator =>
  Keyword({
    required: true,
    max: 2048,
    example: 'https://app.example.org/callback',
    description:
      'Where the provider sends the person back: one of OIDC_REDIRECT_URIS, or /auth/callback/{provider_id} of the service.',
  });
