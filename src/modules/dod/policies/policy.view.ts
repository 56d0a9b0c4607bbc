import { visibleId, visibleLineageId } from '../../../access/visibility/visibility.js';
import { ORIGINS } from '../../../platform/database/views/lineage.js';
import { written } from '../../../platform/database/views/text-traits.js';
import {
  defineView,
  id,
  json,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
  type Wire,
} from '../../../platform/database/views/view.js';
import { exactly } from '../../../platform/http/openapi/schemas.js';
import type { Condition } from '../conditions/condition.js';
import { POLICY_CONTAINERS, POLICY_SCOPES, policyLifecycle, STRICTNESSES } from './policy.lifecycle.js';

const CONDITION = exactly({
  id: { type: 'string' },
  type: { type: 'string', example: 'peer_review' },
  label: { type: 'string' },
  params: { type: 'object', additionalProperties: true },
  required: { type: 'boolean' },
});

/** The representation of a DoD policy. */
export const policyView = defineView({
  name: 'DodPolicy',
  kind: 'dod_policy',
  table: 'dod_policies',
  alias: 'p',
  joins: '',
  people: { properties: ['created_by'] },
  fields: {
    id: id('p.id', 'dod_policy'),
    name: written(text('p.name'), 'personal', 'redactable', 'searchedName', 'approved'),
    description: written(
      nullable(text('p.description')),
      'personal',
      'redactable',
      'compared',
      'searchedText',
      'approved',
    ),
    conditions: written(json<Condition[]>('p.conditions', { type: 'array', items: CONDITION }), 'personal'),
    strictness: oneOf('p.strictness', STRICTNESSES),
    quorum: nullable(integer('p.quorum')),
    scope: oneOf('p.scope', POLICY_SCOPES),
    origin: oneOf('p.origin', ORIGINS),
    version: integer('p.version'),
    predecessor_id: withoutEventValue(nullable(id(visibleId('p.predecessor_id'), 'dod_policy'))),
    lineage_id: withoutEventValue(id(visibleLineageId('dod_policies', 'p'), 'dod_policy')),
    organization_id: nullable(id('p.organization_id', 'organization')),
    endeavour_id: nullable(id('p.endeavour_id', 'endeavour')),
    container: oneOf('p.container', POLICY_CONTAINERS),
    status: oneOf('p.status', policyLifecycle.statuses),
    metadata: written(metadata('p.metadata'), 'personal', 'redactable'),
    created_by: nullable(id('p.created_by', 'resource')),
    created_at: time('p.created_at'),
    updated_at: time('p.updated_at'),
    revision: integer('p.revision'),
  },
});

export type PolicyView = Wire<typeof policyView>;
