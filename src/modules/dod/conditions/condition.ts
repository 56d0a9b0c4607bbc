import type { JsonRecord } from '../../../common/json.js';
import type { TaskStatus } from '../../../common/statuses.js';

/** One condition of a policy, complete: as it is stored and shown. */
export interface Condition {
  /** Unique inside the policy. */
  id: string;
  type: string;
  label: string;
  params: JsonRecord;
  required: boolean;
}

/** What is known of one task; conditions are judged by nothing else. */
export interface TaskFacts {
  /** Its columns, as they are or as a patch would leave them. */
  task: JsonRecord & { id: string };
  /** The people whose approval does not count as a review (see `authorsOf`). */
  authors: readonly string[];
  /** The current approval of each person in each role, the newest first. */
  approvals: readonly ApprovalFact[];
  /** The comments on the task that have not been deleted. */
  comments: readonly string[];
  /** What belongs to it, the newest first. */
  artifacts: readonly ArtifactFact[];
  /** Seconds spent in each status so far. */
  secondsIn: Readonly<Partial<Record<TaskStatus, number>>>;
  /** What checks of other systems said since the task was last reopened, the newest first. */
  results: readonly ResultFact[];
}

export interface ApprovalFact {
  id: string;
  approver_id: string;
  /** The approver; of an agent its manager, because they are one person. */
  person_id: string;
  verdict: string;
  role: string | null;
  /** Whether the approver held the role when giving it. */
  role_held: boolean | null;
  /** What was approved has changed since. */
  stale: boolean;
  /** The admin who dismissed it, where it is a rejection that was. */
  dismissed_by: string | null;
  /** What the approver was when giving it: a member of the endeavour; an author of the task. */
  was_member: boolean;
  was_author: boolean;
  /** What the approver is now. */
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
  /** The roles that who posted it held then. */
  roles: string[];
}

/** The outcome of one condition for a task. */
export interface Finding {
  passed: boolean;
  /** What was found. */
  detail: string;
  /** What to do about it; of no use where it passed. */
  hint: string;
  /** The ids of what the finding rests on. */
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
