import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Row } from '../../platform/database/views/rows.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { RULE_DISABLED_REASONS, type RuleDisabledReason, type RuleAction } from './rule.rules.js';

/** What is done when something happens to a task or demand of an endeavour. */
@Entity('rules')
@Check('rules_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('rules_on_check', `cardinality("on") BETWEEN 1 AND 50`)
@Check('rules_filter_check', `jsonb_typeof(filter) = 'object'`)
@Check('rules_actions_check', `jsonb_typeof(actions) = 'array' AND jsonb_array_length(actions) BETWEEN 1 AND 5`)
@Check('rules_disabled_reason_check', `disabled_reason IN ('${RULE_DISABLED_REASONS.join("', '")}')`)
@Check('rules_enabled_check', 'NOT is_enabled OR (disabled_reason IS NULL AND deleted_at IS NULL)')
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
@Index('rules_enabled_idx', ['endeavourId'], { where: 'is_enabled' })
export class Rule extends Row {
  @Column('text')
  name: string;

  @Column('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  /** Patterns of event types. */
  @Column('text', { array: true })
  on: string[];

  /** Parameters of the lists of tasks and demands, as in a query string. */
  @Column('jsonb', { default: {} })
  filter: Record<string, string>;

  @Column('jsonb')
  actions: RuleAction[];

  @Column('boolean', { default: true })
  isEnabled: boolean;

  @Column('text', { nullable: true })
  disabledReason: RuleDisabledReason | null;

  /** The person as whom it runs: its creator, or the last person who changed it. */
  @Column('text')
  @ForeignKey('Resource')
  ownerId: string;

  @Column('text')
  @ForeignKey('Resource')
  createdBy: string;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}

/** The start of a rule and what its owner proved at sign-in; a table of its own, to keep both out of the history of the rule. */
@Entity('rule_states')
export class RuleState {
  @PrimaryColumn('text')
  @ForeignKey('Rule')
  ruleId: string;

  /** Events after this sequence of the feed trigger it. */
  @Column('bigint')
  since: string;

  /** Events before this time do not trigger it, even if they get their sequence later. */
  @TimestampColumn({ default: () => 'clock_timestamp()' })
  beganAt: Date;

  /** Whether its owner had proved a second factor when writing it. */
  @Column('boolean', { default: false })
  hasSecondFactor: boolean;

  /** The organization towards which alone its owner had proved one. */
  @Column('text', { nullable: true })
  provedTo: string | null;

  /** The access token with which its owner wrote it, whose limits and end are those of the rule. */
  @Column('text', { nullable: true })
  tokenId: string | null;
}

/** The position of the rules in the feed; one row. */
@Entity('rule_feed')
@Check('rule_feed_id_check', 'id')
export class RuleFeed {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  @Column('bigint', { default: 0 })
  position: string;
}
