import { JsonObject } from '../../platform/http/bodies/fields.js';

const CREDENTIAL_EXAMPLE = {
  id: 'Zq1yL0e6cQ',
  rawId: 'Zq1yL0e6cQ',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRkbm9uZQ' },
  clientExtensionResults: {},
};

/** What `navigator.credentials` returned, as its `toJSON()` writes it. */
export const CredentialField = (required: boolean): PropertyDecorator =>
  JsonObject({
    required,
    example: CREDENTIAL_EXAMPLE,
    description: 'What `navigator.credentials` returned for the options, as `toJSON()` writes it.',
  });
