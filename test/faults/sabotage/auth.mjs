const CODES = 'src/modules/users/codes.repository.ts';
const CODE_LIMITS = 'src/modules/users/codes.ts';
const INVITATIONS = 'src/modules/invitations/invitations.repository.ts';
const ACCEPTANCE = 'src/modules/invitations/invitation-acceptance.service.ts';

/** Defects of passwords, codes, tokens, sessions, invitations and their limits. */
export const seeds = [
  {
    name: 'tokens are accepted with any signature algorithm',
    file: 'src/access/authentication/jwt.strategy.ts',
    find: `algorithms: ['HS256'],`,
    replace: '',
    caughtBy: 'test/attacks/forged-tokens.spec.ts',
    test: 'is refused although its signature is right',
  },
  {
    name: 'tokens of other issuers are accepted',
    file: 'src/access/authentication/jwt.strategy.ts',
    find: 'issuer: ISSUER,',
    replace: '',
    caughtBy: 'test/attacks/forged-tokens.spec.ts',
    test: 'is refused although its signature is right',
  },
  {
    name: 'a token that names no known key is verified with the first',
    file: 'src/access/authentication/tokens.ts',
    find: 'return keys.find(({ kid }) => kid === header.kid && header.crit === undefined);',
    replace: 'return keys.find(({ kid }) => kid === header.kid && header.crit === undefined) ?? keys[0];',
    caughtBy: 'test/attacks/forged-tokens.spec.ts',
    test: 'is refused although its signature is right',
  },
  {
    name: 'logging out does nothing',
    file: 'src/modules/auth/login.service.ts',
    find: 'await this.sessions.end(me.userId, me.sessionId);',
    replace: '',
    caughtBy: 'test/areas/auth.spec.ts',
    test: 'creates a session at login, counts the login, and ends the session at logout',
  },
  {
    name: 'a suspension ends no session',
    file: 'src/modules/users/users.service.ts',
    find: `if (status !== undefined && status !== 'active') await this.sessions.endAll(row.id);`,
    replace: '',
    caughtBy: 'test/areas/users.spec.ts',
    test: 'permanently ends all sessions of suspended or deactivated users',
  },
  {
    name: 'a suspension is revealed before the password is compared',
    file: 'src/modules/auth/login.service.ts',
    find: 'const isRight = await',
    replace: `if (account?.status === 'suspended') throw new ApiError('account_suspended', 'This account is suspended.');
    const isRight = await`,
    caughtBy: 'test/areas/auth.spec.ts',
    test: 'reveals a suspension only after the right password',
  },
  {
    name: 'passwords are hashed without the pepper',
    file: 'src/modules/users/passwords.ts',
    find: `return createHmac('sha256', this.pepper).update(password.normalize('NFKC')).digest('base64');`,
    replace: `return password.normalize('NFKC');`,
    caughtBy: 'test/areas/auth.spec.ts',
    test: 'compares long passwords completely, after Unicode normalization',
  },
  {
    name: 'a new password ends no session',
    file: 'src/modules/auth/password-changes.service.ts',
    find: 'await this.sessions.endAll(id, keptSessionId);',
    replace: '',
    caughtBy: 'test/areas/auth.spec.ts',
    test: 'is reset with a mailed code, which ends every session and notifies the owner',
  },
  {
    name: 'guesses at a code are read first and counted afterwards',
    file: CODES,
    find: 'return this.database.query<CodeCandidate>(\n        `${HELD}\n         UPDATE codes SET attempts = attempts + 1,',
    replace: `const open = await this.database.query<CodeCandidate>(
        \`SELECT id, subject, hash FROM codes WHERE purpose = $1 AND scope = $2 AND ended_at IS NULL
           AND attempts < $4 AND coalesce((attempts_from ->> $3)::integer, 0) < $5\`,
        [purpose, scope, clientNetwork, mostInAll, mostPerNetwork],
      );
      if (open.length > 0) {
        await this.database.query(
          \`UPDATE codes SET attempts = attempts + 1, attempts_from =
             attempts_from || jsonb_build_object($2::text, coalesce((attempts_from ->> $2)::integer, 0) + 1)
           WHERE id = ANY($1)\`,
          [open.map(({ id }) => id), clientNetwork],
        );
        return open;
      }
      return this.database.query<CodeCandidate>(\n        \`\${HELD}\n         UPDATE codes SET attempts = attempts + 1,`,
    caughtBy: 'test/attacks/code-guesses.deep.spec.ts',
    test: 'guesses at the code of a sign-up, over four replicas are judged 50 times in all',
  },
  {
    name: 'guesses at a code from one address are not limited',
    file: CODE_LIMITS,
    find: 'const MAX_PER_ADDRESS = 5;',
    replace: 'const MAX_PER_ADDRESS = 50;',
    caughtBy: 'test/attacks/code-guesses.deep.spec.ts',
    test: 'guesses at the code of a sign-up, over four replicas are judged 5 times from one address',
  },
  {
    name: 'a code can be used twice',
    file: CODES,
    find: 'WHERE id = $3 AND ended_at IS NULL AND expires_at > clock_timestamp() AND (SELECT count(*) FROM held) > 0',
    replace: 'WHERE id = $3',
    caughtBy: 'test/attacks/single-use.deep.spec.ts',
    test: 'used 50 times at once works once',
  },
  {
    name: 'a code never expires',
    edits: [
      {
        file: CODES,
        find: 'AND ended_at IS NULL AND expires_at > clock_timestamp()\n           AND attempts',
        replace: 'AND ended_at IS NULL\n           AND attempts',
      },
      {
        file: CODES,
        find: 'WHERE id = $3 AND ended_at IS NULL AND expires_at > clock_timestamp() AND',
        replace: 'WHERE id = $3 AND ended_at IS NULL AND',
      },
    ],
    caughtBy: 'test/areas/auth.spec.ts',
    test: 'returns the same error for an unknown address and a wrong, used or expired code',
  },
  {
    name: 'a new code leaves the old one valid',
    file: CODES,
    find: 'WHERE is_replaced OR place >= $6)`',
    replace: 'WHERE place >= $6)`',
    caughtBy: 'test/areas/auth.spec.ts',
    test: 'invalidates the old code when a new one is sent, without revealing whether there was one',
  },
  {
    name: 'wrong passwords delay no further attempt',
    file: 'src/platform/limits/limits.ts',
    find: 'if (wait > 0) throw rateLimited(limit, wait);',
    replace: '',
    caughtBy: 'test/attacks/password-guesses.spec.ts',
    test: 'allows 5 attempts, then delays only that address',
  },
  {
    name: 'each replica counts attempts separately',
    file: 'src/platform/limits/counters.ts',
    find: '[counterKey(name, subject), windowSeconds, by],',
    replace:
      '[counterKey(name, subject + String(((this as { replica?: number }).replica ??= Math.random()))), windowSeconds, by],',
    caughtBy: 'test/attacks/throttles.deep.spec.ts',
    test: 'at the public operations of four replicas',
  },
  {
    name: 'any client can forge its address',
    file: 'src/platform/http/server/adapter.ts',
    find: 'trustProxy: trustedProxies.length > 0 ? trustedProxies : false,',
    replace: 'trustProxy: true,',
    caughtBy: 'test/areas/limits.spec.ts',
    test: 'is the peer of the connection, despite forwarding headers, unless a proxy is trusted',
  },
  {
    name: 'an invitation can be used without limit',
    file: INVITATIONS,
    find: `const USABLE = 'uses < max_uses AND `,
    replace: `const USABLE = '`,
    caughtBy: 'test/areas/invitations.spec.ts',
    test: 'succeeds max_uses times',
  },
  {
    name: 'an invitation for one address can be accepted by any user who has the token',
    file: ACCEPTANCE,
    find: '(email === null || email === me.email) && ',
    replace: '',
    caughtBy: 'test/areas/invitations.spec.ts',
    test: 'mails the token to an address without returning it, and accepts it only from that address',
  },
  {
    name: 'two users can take the last use of an invitation at once',
    file: INVITATIONS,
    find: '${where} FOR NO KEY UPDATE OF i`',
    replace: '${where}`',
    caughtBy: 'test/areas/invitations.spec.ts',
    test: 'succeeds max_uses times',
  },
  {
    name: 'an invitation outlives the suspension of the user who made it',
    file: 'src/access/authentication/callers.ts',
    find: 'AND s.user_id = u.id WHERE u.id = $1 AND ${MAY_ACT}`',
    replace: 'AND s.user_id = u.id WHERE u.id = $1`',
    caughtBy: 'test/areas/invitations.spec.ts',
    test: 'was made by a user who is suspended',
  },
  {
    name: 'sign-ins over the limit query the database before they are refused',
    file: 'src/modules/users/passwords.ts',
    find: 'return this.requests.run(work);',
    replace: 'return work();',
    caughtBy: 'test/areas/limits.spec.ts',
    test: 'reject logins that would wait too long, before they query the database',
  },
  {
    name: 'concurrent sign-ins take all database connections',
    file: 'src/modules/auth/login.service.ts',
    find: 'const MAX_CONCURRENT_LOOKUPS = 2;',
    replace: 'const MAX_CONCURRENT_LOOKUPS = 200;',
    caughtBy: 'test/areas/limits.spec.ts',
    test: 'prevent many logins from occupying the database connections of other clients',
  },
  {
    name: 'operations that ask for a proof accept any session',
    file: 'src/access/second-factor/step-up.ts',
    find: `now() - $2 * interval '1 minute'`,
    replace: `now() - $2 * interval '100 minutes'`,
    caughtBy: 'test/areas/step-up.spec.ts',
    test: 'is the sign-in for 15 minutes, and a password afterwards',
  },
  {
    name: 'wrong proofs are not limited',
    file: 'src/modules/step-up/step-up.service.ts',
    find: 'await this.limits.countProof(me.userId);',
    replace: '',
    caughtBy: 'test/areas/step-up.spec.ts',
    test: 'that is wrong is rejected, at most ten times an hour',
  },
  {
    name: 'the password alone proves something although a second factor is on',
    edits: [
      {
        file: 'src/modules/credentials/credentials.repository.ts',
        find: `if (kinds.has('totp')) kinds.delete('password');`,
        replace: '',
      },
      {
        file: 'src/modules/step-up/step-up.service.ts',
        find: `if (password !== undefined && methods.includes('totp')) throw verificationFailed(CODE_NEEDED);`,
        replace: '',
      },
    ],
    caughtBy: 'test/areas/second-factor.spec.ts',
    test: 'proves to be there with a code, because the password alone proves nothing',
  },
  {
    name: 'codes of authenticator apps work more than once',
    file: 'src/modules/credentials/second-factors.ts',
    find: 'await this.credentials.useStep(userId, step);',
    replace: '',
    caughtBy: 'test/areas/second-factor.spec.ts',
    test: 'accepts each code once, and the codes of the neighbouring steps',
  },
  {
    name: 'a sign-in with a second factor has any number of attempts',
    file: 'src/modules/auth/pending-sign-ins.ts',
    find: 'const MAX_ATTEMPTS = 5;',
    replace: 'const MAX_ATTEMPTS = 500;',
    caughtBy: 'test/areas/second-factor.spec.ts',
    test: 'ends after five attempts, after five minutes, and when it has been used, with one text',
  },
  {
    name: 'a sign-in that waited for the second factor can be finished twice',
    file: 'src/modules/auth/login.service.ts',
    find: "if (!(await this.pending.use(token))) throw this.refusalOf('password+totp', account);",
    replace: '',
    caughtBy: 'test/areas/second-factor.spec.ts',
    test: 'ends after five attempts, after five minutes, and when it has been used, with one text',
  },
  {
    name: 'secrets of authenticator apps are not bound to their account',
    edits: [
      {
        file: 'src/platform/config/sealing.ts',
        find: 'createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(ownerId))',
        replace: 'createCipheriv(CIPHER, key, nonce)',
      },
      {
        file: 'src/platform/config/sealing.ts',
        find: 'decipher.setAAD(Buffer.from(ownerId)).setAuthTag(',
        replace: 'decipher.setAuthTag(',
      },
    ],
    caughtBy: 'test/areas/second-factor.spec.ts',
    test: 'cannot be moved to another account in the database',
  },
  {
    name: 'challenges of passkeys work in any session',
    file: 'src/modules/passkeys/challenges.repository.ts',
    find: 'AND session_id IS NOT DISTINCT FROM $3 ',
    replace: 'AND ($3::text IS NULL OR true) ',
    caughtBy: 'test/areas/passkeys.spec.ts',
    test: 'works once for each challenge, in the session that asked for it, for five minutes',
  },
  {
    name: 'passkeys need no verification of the person',
    file: 'src/modules/passkeys/assertions.ts',
    find: `        requireUserVerification: true,
        // The counter`,
    replace: `        requireUserVerification: false,
        // The counter`,
    caughtBy: 'test/areas/passkeys.spec.ts',
    test: 'is refused for no verification of the person, with one text',
  },
  {
    name: 'the counter of a passkey can run backwards',
    file: 'src/modules/passkeys/passkeys.repository.ts',
    find: 'AND (counter < $2 OR (counter = 0 AND $2 = 0))',
    replace: '',
    caughtBy: 'test/areas/passkeys.spec.ts',
    test: 'refuses a counter that runs backwards, records it and tells by mail',
  },
];
