import { joinResource } from '../../../access/visibility/people.view.js';
import {
  defineView,
  id,
  withoutEventValue,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../../platform/database/views/view.js';
import { ENDORSEMENT_STATUSES } from './endorsement.entity.js';

/** The representation of an endorsement. */
export const endorsementView = defineView({
  name: 'DodEndorsement',
  kind: 'dod_endorsement',
  table: 'dod_endorsements',
  alias: 'd',
  joins: joinResource('endorser', 'd.resource_id'),
  people: { properties: ['resource_id'] },
  fields: {
    id: id('d.id', 'dod_endorsement'),
    policy_id: id('d.policy_id', 'dod_policy'),
    policy_version: integer('d.policy_version'),
    resource_id: id('d.resource_id', 'resource'),
    resource_name: withoutEventValue(text('endorser.name')),
    endeavour_id: id('d.endeavour_id', 'endeavour'),
    status: oneOf('d.status', ENDORSEMENT_STATUSES),
    endorsed_at: time('d.created_at'),
    superseded_at: nullable(time('d.superseded_at')),
    created_at: time('d.created_at'),
    updated_at: time('d.updated_at'),
    revision: integer('d.revision'),
  },
});
