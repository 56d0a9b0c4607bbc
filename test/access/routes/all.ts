import type { Row } from '../rows.js';
import { BATCH } from './batch.js';
import { ARTIFACTS } from './artifacts.js';
import { ITERATIONS } from './iterations.js';
import { TIME_ENTRIES } from './time-entries.js';
import { VIEWS } from './views.js';
import { WATCHES } from './watches.js';
import { RULES } from './rules.js';
import { AUTH } from './auth.js';
import { DOD } from './dod.js';
import { DOD_POLICIES } from './dod-policies.js';
import { ENDEAVOURS } from './endeavours.js';
import { EXTERNAL_REFS } from './external-refs.js';
import { FOLLOWING, historyRows } from './following.js';
import { IDENTITY } from './identity.js';
import { IMPORTS } from './imports.js';
import { LEAVING } from './leaving.js';
import { MESSAGES } from './messages.js';
import { OPERATIONS } from './operations.js';
import { ORGANIZATION_MEMBERS } from './organization-members.js';
import { ORGANIZATIONS } from './organizations.js';
import { MEMBERSHIP_RELATIONS } from './membership-relations.js';
import { RELATIONS } from './relations.js';
import { RESOURCES } from './resources.js';
import { RITUALS } from './rituals.js';
import { TALK } from './talk.js';
import { TEMPLATES } from './templates.js';
import { USERS } from './users.js';
import { WEBHOOKS } from './webhooks.js';
import { WORK } from './work.js';

const OWN: readonly Row[] = [
  ...AUTH,
  ...IDENTITY,
  ...USERS,
  ...ORGANIZATIONS,
  ...ORGANIZATION_MEMBERS,
  ...ENDEAVOURS,
  ...RESOURCES,
  ...WORK,
  ...ARTIFACTS,
  ...EXTERNAL_REFS,
  ...TALK,
  ...MEMBERSHIP_RELATIONS,
  ...RELATIONS,
  ...MESSAGES,
  ...RITUALS,
  ...TEMPLATES,
  ...DOD_POLICIES,
  ...DOD,
  ...IMPORTS,
  ...LEAVING,
  ...OPERATIONS,
  ...FOLLOWING,
  ...WEBHOOKS,
  ...ITERATIONS,
  ...TIME_ENTRIES,
  ...VIEWS,
  ...WATCHES,
  ...RULES,
  ...BATCH,
];

/** At least one row per operation; `matrix.spec.ts` sends each of them as every kind of caller. */
export const ROWS: readonly Row[] = [...OWN, ...historyRows(OWN)];
