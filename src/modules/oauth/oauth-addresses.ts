import { PROTECTED_PATHS, PROTECTED_RESOURCES, type ProtectedResource } from '../../common/programs.js';
import { TOKEN_SCOPES } from '../../access/permissions/token-scope.js';
import { serviceAddress } from '../../platform/config/address.js';
import type { Settings } from '../../platform/config/settings.js';
import { AUTH_METHODS, GRANT_TYPES } from './clients/oauth-client.entity.js';

/** The scopes that a person can grant: all but the one that allows everything. */
export const GRANTABLE_SCOPES: readonly string[] = TOKEN_SCOPES.filter((scope) => scope !== '*');

/** The address of a resource for which access tokens are issued (RFC 8707). */
export const resourceAddress = (settings: Settings, resource: ProtectedResource): string =>
  serviceAddress(settings) + PROTECTED_PATHS[resource];

/** The resource with the address, exactly as written; undefined if there is none. Without an address, it is the interface. */
export function resourceAt(settings: Settings, address: unknown): ProtectedResource | undefined {
  if (address === undefined) return 'api';
  return PROTECTED_RESOURCES.find((name) => resourceAddress(settings, name) === address);
}

/** The paths of the endpoints, by the names that the library gives them. */
export const ENDPOINTS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device-authorization',
  code_verification: '/oauth/consent/device',
} as const;

/** Where programs register themselves (RFC 7591), if they can. */
export const REGISTRATION = '/oauth/register';

/** The page where a person consents to a request of a program. */
export const CONSENT_PAGE = '/oauth/consent';

/** What clients find out by themselves (RFC 8414). It is complete without loading the library. */
export function serverMetadata(settings: Settings): object {
  const issuer = serviceAddress(settings);
  const ways = settings.OAUTH_REGISTRATION;
  return {
    issuer,
    authorization_endpoint: issuer + ENDPOINTS.authorization,
    token_endpoint: issuer + ENDPOINTS.token,
    device_authorization_endpoint: issuer + ENDPOINTS.device_authorization,
    revocation_endpoint: issuer + ENDPOINTS.revocation,
    ...(ways.some((way) => way !== 'metadata') && { registration_endpoint: issuer + REGISTRATION }),
    scopes_supported: GRANTABLE_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    client_id_metadata_document_supported: ways.includes('metadata'),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/docs`,
    ui_locales_supported: ['en', 'de', 'fr', 'es'],
  };
}

/** Where clients get access to the interface (RFC 9728). */
export function resourceMetadata(settings: Settings): object {
  return {
    resource: resourceAddress(settings, 'api'),
    resource_name: 'Worksmith',
    authorization_servers: [serviceAddress(settings)],
    scopes_supported: GRANTABLE_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${serviceAddress(settings)}/docs`,
  };
}
