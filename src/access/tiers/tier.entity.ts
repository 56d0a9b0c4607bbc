import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/**
 * The limits of the users of a tier; -1 is unlimited. Each request reads this row with its caller, so that it also says what
 * of all organizations can concern the caller.
 */
@Entity('tiers')
@Check('tiers_name_check', 'char_length(name) BETWEEN 1 AND 100')
@Check(
  'tiers_limits_check',
  `least(max_orgs, max_active_endeavours, max_endeavours_per_org,
    max_agents_per_org, max_teams_per_org, max_creations_per_hour) >= -1`,
)
export class Tier {
  @PrimaryColumn('smallint')
  id: number;

  @Column('text')
  name: string;

  @Column('integer')
  maxOrgs: number;

  @Column('integer')
  maxActiveEndeavours: number;

  @Column('integer')
  maxEndeavoursPerOrg: number;

  @Column('integer')
  maxAgentsPerOrg: number;

  @Column('integer')
  maxTeamsPerOrg: number;

  @Column('integer')
  maxCreationsPerHour: number;

  /** Whether an organization requires a second factor, or did before. */
  @Column('boolean', { default: false })
  mayAskSecondFactor: boolean;

  /** Whether a provider of identities is required by its organization, or was before. */
  @Column('boolean', { default: false })
  mayAskProvider: boolean;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;

  @TimestampColumn({ default: () => 'now()' })
  updatedAt: Date;

  @Column('integer', { default: 1 })
  revision: number;
}
