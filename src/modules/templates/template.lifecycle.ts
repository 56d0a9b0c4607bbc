import { Lifecycle } from '../../common/lifecycle.js';

export type TemplateStatus = 'active' | 'archived';

/** An archived template is not selected for reports. */
export const templateLifecycle = new Lifecycle<TemplateStatus>('active', {
  active: ['archived'],
  archived: ['active'],
});

/** The kinds of entities that a template can be rendered for. */
export const TEMPLATE_SCOPES = ['task', 'demand', 'endeavour', 'organization', 'ritual'] as const;
export type TemplateScope = (typeof TEMPLATE_SCOPES)[number];

/** The container of a template: global, an organization, or its creator. */
export const TEMPLATE_CONTAINERS = ['global', 'organization', 'personal'] as const;
export type TemplateContainer = (typeof TEMPLATE_CONTAINERS)[number];
