/** How programs of others become known without an administrator who registers them. */
export const REGISTRATION_WAYS = ['metadata', 'open', 'token'] as const;
export type RegistrationWay = (typeof REGISTRATION_WAYS)[number];

/** What programs of others can be let into (RFC 8707), by the name that grants store: its path below PUBLIC_URL. */
export const PROTECTED_PATHS = { api: '/api/v1', mcp: '/mcp' } as const;
export type ProtectedResource = keyof typeof PROTECTED_PATHS;
export const PROTECTED_RESOURCES = Object.keys(PROTECTED_PATHS) as ProtectedResource[];

/** Where the metadata of those that answer are (RFC 9728, section 3.1). */
export const METADATA_PATHS = { api: '/.well-known/oauth-protected-resource/api/v1' } as const;
