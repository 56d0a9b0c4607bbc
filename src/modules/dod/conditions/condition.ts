import type { JsonRecord } from '../../../common/json.js';
import type { TaskStatus } from '../../../common/statuses.js';

/** A condition of a policy with all defaults filled in, as it is stored and returned. */
export interface Condition {
  /** Unique within the policy. */
  id: string;
  type: string;
  label: string;
  params: JsonRecord;
  required: boolean;
}

/** The facts about one task. Conditions are evaluated from these facts alone. */
export interface TaskFacts {
  /** The columns of the task, current or as a patch would leave them. */
  task: JsonRecord & { id: string };
  /** The people whose approval does not count as a review (see `authorsOf`). */
  authors: readonly string[];
  /** The current approval of each person in each role, newest first. */
  approvals: readonly ApprovalFact[];
  /** The ids of the newest comments on the task that are not deleted, newest first; as many as a condition can ask for. */
  comments: readonly string[];
  /** The artifacts of the task, newest first. */
  artifacts: readonly ArtifactFact[];
  /** The total number of seconds that the task has spent in each status. */
  secondsIn: Readonly<Partial<Record<TaskStatus, number>>>;
  /** The results that other systems have posted since the task was last done or canceled, newest first. */
  results: readonly ResultFact[];
}

export interface ApprovalFact {
  id: string;
  approver_id: string;
  /** The person behind the approver: an agent and everybody who ever managed it are one (see `person_behind`). */
  person_id: string;
  verdict: string;
  role: string | null;
  /** Whether the approver held the role when giving the approval; null without a role. */
  role_held: boolean | null;
  /** Whether the content has changed since the approval. */
  stale: boolean;
  /** The admin who dismissed the rejection, if any. */
  dismissed_by: string | null;
  /** Whether the approver was a member of the endeavour when giving the approval. */
  was_member: boolean;
  /** Whether the approver was an author of the task when giving the approval. */
  was_author: boolean;
  /** The current type of the approver's account. */
  user_type: string | null;
  /** Whether the approver's account is active now. */
  is_active: boolean;
  /** The approver's current rank in the endeavour, 1 (viewer) to 4 (owner); 0 without a role. */
  rank: number;
  stakeholder_roles: string[];
}

interface ArtifactFact {
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
  /** The ids of the present manager of an agent, as a user and as a resource; null for a person. */
  manager_ids: readonly string[] | null;
  /** The roles of the poster when posting the result. */
  roles: string[];
}

/** The outcome of one condition for a task. */
export interface ConditionFinding {
  passed: boolean;
  /** The result as text. */
  detail: string;
  /** How to meet the condition; unused if it passed. */
  hint: string;
  /** The ids of the approvals, comments, artifacts or results that the finding is based on. */
  evidenceIds: readonly string[];
}

/** A finding as part of a check. */
export interface ConditionResult {
  id: string;
  type: string;
  label: string;
  required: boolean;
  status: 'passed' | 'failed';
  detail: string;
  hint: string | null;
}
