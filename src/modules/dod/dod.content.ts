import type { Content } from '../../platform/contents/content.js';
import { checkView } from './check.view.js';
import { endorsementView } from './endorsement.view.js';
import { policyView } from './policy.view.js';

/** An organization's own policies belong to its export. */
export const policyContent: Content = { section: 'dod_policies', view: policyView };

/** Who has bound themselves belongs to the export of the endeavour. */
export const endorsementContent: Content = { section: 'endorsements', view: endorsementView };

/** How tasks stood to their policies belongs to the export of the endeavour. */
export const checkContent: Content = { section: 'dod_checks', view: checkView };
