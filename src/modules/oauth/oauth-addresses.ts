import { TOKEN_SCOPES } from '../../access/permissions/token-scope.js';
import { serviceAddress } from '../../platform/config/address.js';
import type { Settings } from '../../platform/config/settings.js';

/** The scopes that a person can grant: all but the one that allows everything. */
export const GRANTABLE_SCOPES: readonly string[] = TOKEN_SCOPES.filter((scope) => scope !== '*');

/** The resource for which access tokens are issued (RFC 8707). */
export const apiAddress = (settings: Settings): string => `${serviceAddress(settings)}/api/v1`;

/** The paths of the endpoints, by the names that the library gives them. */
export const ENDPOINTS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device-authorization',
  code_verification: '/oauth/consent/device',
} as const;

/** The page where a person consents to a request of a program. */
export const CONSENT_PAGE = '/oauth/consent';

/** What clients find out by themselves (RFC 8414). It is complete without loading the library. */
export function serverMetadata(settings: Settings): object {
  const issuer = serviceAddress(settings);
  return {
    issuer,
    authorization_endpoint: issuer + ENDPOINTS.authorization,
    token_endpoint: issuer + ENDPOINTS.token,
    device_authorization_endpoint: issuer + ENDPOINTS.device_authorization,
    revocation_endpoint: issuer + ENDPOINTS.revocation,
    scopes_supported: GRANTABLE_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/docs`,
    ui_locales_supported: ['en', 'de', 'fr', 'es'],
  };
}

/** Where clients get access to the interface (RFC 9728). */
export function resourceMetadata(settings: Settings): object {
  return {
    resource: apiAddress(settings),
    resource_name: 'Worksmith',
    authorization_servers: [serviceAddress(settings)],
    scopes_supported: GRANTABLE_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${serviceAddress(settings)}/docs`,
  };
}
