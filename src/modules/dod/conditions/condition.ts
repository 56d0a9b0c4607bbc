import type { JsonRecord } from '../../../common/json.js';
import type { TaskStatus } from '../../../common/statuses.js';

/** A complete condition of a policy, as it is stored and shown. */
export interface Condition {
  /** Unique inside the policy. */
  id: string;
  type: string;
  label: string;
  params: JsonRecord;
  required: boolean;
}

/** The facts about one task; conditions are evaluated from nothing else. */
export interface TaskFacts {
  /** Its columns, current or as a patch would leave them. */
  task: JsonRecord & { id: string };
  /** The people whose approval does not count as a review (see `authorsOf`). */
  authors: readonly string[];
  /** The current approval of each person in each role, the newest first. */
  approvals: readonly ApprovalFact[];
  /** The comments on the task that have not been deleted. */
  comments: readonly string[];
  /** The artifacts of the task, newest first. */
  artifacts: readonly ArtifactFact[];
  /** Seconds spent in each status so far. */
  secondsIn: Readonly<Partial<Record<TaskStatus, number>>>;
  /** Results of other systems since the task was last reopened, newest first. */
  results: readonly ResultFact[];
}

export interface ApprovalFact {
  id: string;
  approver_id: string;
  /** The approver; for an agent its manager, because they count as one person. */
  person_id: string;
  verdict: string;
  role: string | null;
  /** Whether the approver held the role when giving it. */
  role_held: boolean | null;
  /** The approved content has changed since. */
  stale: boolean;
  /** The admin who dismissed the rejection, if any. */
  dismissed_by: string | null;
  /** The state of the approver at that time: a member of the endeavour; an author of the task. */
  was_member: boolean;
  was_author: boolean;
  /** The current state of the approver. */
  user_type: string | null;
  is_active: boolean;
  /** 1 (viewer) to 4 (owner) in the endeavour; 0 without a role. */
  rank: number;
  stakeholder_roles: string[];
}

export interface ArtifactFact {
  id: string;
  tags: string[];
  result: unknown;
}

export interface ResultFact {
  id: string;
  name: string;
  passed: boolean;
  detail: string | null;
  posted_by: string;
  /** The user behind `posted_by`, if any. */
  user_id: string | null;
  /** The roles of the poster at that time. */
  roles: string[];
}

/** The outcome of one condition for a task. */
export interface ConditionFinding {
  passed: boolean;
  /** The result in words. */
  detail: string;
  /** A remedy; unused if the condition passed. */
  hint: string;
  /** The ids of the evidence. */
  restsOn: readonly string[];
}

/** A finding as checks show it. */
export interface ConditionResult {
  id: string;
  type: string;
  label: string;
  required: boolean;
  status: 'passed' | 'failed';
  detail: string;
  hint: string | null;
}
