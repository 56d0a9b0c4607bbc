import { boolean, defineView, id, integer, nullable, oneOf, text, time } from '../../platform/database/views/view.js';

const STATUSES = ['pending', 'proved'] as const;

/** A domain that an organization claims. */
export const domainView = defineView({
  name: 'Domain',
  kind: 'domain',
  table: 'domains',
  alias: 'dom',
  joins: '',
  fields: {
    id: id('dom.id', 'domain'),
    organization_id: id('dom.organization_id', 'organization'),
    domain: text('dom.domain', 'The domain, in ASCII and lower case.'),
    status: oneOf(
      `CASE WHEN dom.proved_at IS NULL THEN 'pending' ELSE 'proved' END`,
      STATUSES,
      'Whether the organization has proved that the domain is its own.',
    ),
    record_name: text('dom.domain', 'The name of the TXT record that proves it: exactly the domain.'),
    record_value: text(`'worksmith-verification=' || dom.token`, 'What the TXT record has to contain.'),
    is_confirmed: boolean(
      'dom.is_confirmed',
      'Whether an administrator confirmed it; the record is then not looked up again.',
    ),
    proved_at: nullable(time('dom.proved_at')),
    absent_days: integer(
      'dom.absent_days',
      'The days running on which the name servers answered without the record; the proof ends after seven.',
    ),
    created_at: time('dom.created_at'),
    updated_at: time('dom.updated_at'),
    revision: integer('dom.revision'),
  },
});

/** SQL: whether the organization has proved the domain; both are expressions. */
export const isProvedBy = (organization: string, domain: string): string =>
  `EXISTS (SELECT 1 FROM domains proved WHERE proved.domain = ${domain} AND proved.organization_id = ${organization}
    AND proved.proved_at IS NOT NULL)`;
