import type { Row } from '../rows.js';
import { ARTIFACTS } from './artifacts.js';
import { AUTH } from './auth.js';
import { DOD } from './dod.js';
import { DOD_POLICIES } from './dod-policies.js';
import { ENDEAVOURS } from './endeavours.js';
import { MESSAGES } from './messages.js';
import { ORGANIZATION_MEMBERS } from './organization-members.js';
import { ORGANIZATIONS } from './organizations.js';
import { RELATIONS } from './relations.js';
import { RESOURCES } from './resources.js';
import { RITUALS } from './rituals.js';
import { TALK } from './talk.js';
import { TEMPLATES } from './templates.js';
import { USERS } from './users.js';
import { WORK } from './work.js';

/** At least one row per operation; the callers and what each may expect are the matrix's affair. */
export const ROWS: readonly Row[] = [
  ...AUTH,
  ...USERS,
  ...ORGANIZATIONS,
  ...ORGANIZATION_MEMBERS,
  ...ENDEAVOURS,
  ...RESOURCES,
  ...WORK,
  ...ARTIFACTS,
  ...TALK,
  ...RELATIONS,
  ...MESSAGES,
  ...RITUALS,
  ...TEMPLATES,
  ...DOD_POLICIES,
  ...DOD,
];
