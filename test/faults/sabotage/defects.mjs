import { seeds as access } from './access.mjs';
import { seeds as auth } from './auth.mjs';
import { seeds as domains } from './domains.mjs';
import { seeds as evidence } from './evidence.mjs';
import { seeds as files } from './files.mjs';
import { seeds as lists } from './lists.mjs';
import { seeds as oauth } from './oauth.mjs';
import { seeds as production } from './production.mjs';
import { seeds as providerRules } from './provider-rules.mjs';
import { seeds as requests } from './requests.mjs';
import { seeds as scim } from './scim.mjs';
import { seeds as secondFactorRules } from './second-factor-rules.mjs';
import { seeds as singleSignOn } from './single-sign-on.mjs';
import { seeds as takeovers } from './takeovers.mjs';
import { seeds as work } from './work.mjs';
import { seeds as writes } from './writes.mjs';

/** All defects that the tests must catch. */
export const DEFECTS = [
  ...access,
  ...auth,
  ...domains,
  ...providerRules,
  ...secondFactorRules,
  ...singleSignOn,
  ...scim,
  ...takeovers,
  ...oauth,
  ...requests,
  ...writes,
  ...files,
  ...lists,
  ...work,
  ...production,
  ...evidence,
];

/** The edits of source files that a defect consists of. */
export const editsOf = ({ edits, file, find, replace }) => edits ?? [{ file, find, replace }];
