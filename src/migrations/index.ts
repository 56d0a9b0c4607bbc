/** All migrations, oldest first. */
export { Baseline1763700003500 } from './1763700003500-baseline.js';
export { Credentials1763700003700 } from './1763700003700-credentials.js';
export { SecondFactors1763700003701 } from './1763700003701-second-factors.js';
export { IdleTokens1763700003710 } from './1763700003710-idle-tokens.js';
export { Passkeys1763700003720 } from './1763700003720-passkeys.js';
export { WritersOfAgents1763700003730 } from './1763700003730-writers-of-agents.js';
