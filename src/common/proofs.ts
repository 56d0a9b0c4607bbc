/** How a person can sign in. */
export const SESSION_METHODS = ['password', 'password+totp', 'passkey', 'oidc'] as const;
export type SessionMethod = (typeof SESSION_METHODS)[number];

/** Of whom the installation requires a second factor. */
export const SECOND_FACTOR_POLICIES = ['optional', 'administrators', 'everyone'] as const;
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number];

/** The second factors that a sign-in with a password can ask for. */
export const SECOND_FACTORS = ['totp', 'recovery_code', 'passkey'] as const;

/** How a signed-in person can prove to be there. A code is mailed only to accounts that have no other method. */
export const PROOF_METHODS = ['password', 'totp', 'recovery_code', 'passkey', 'oidc', 'mailed_code'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];
