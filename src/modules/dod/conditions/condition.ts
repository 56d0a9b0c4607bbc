import type { JsonRecord } from '../../../common/texts/json.js';
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
  /** The open tasks that are parts or blockers of the task, or were in its current round. */
  openEdges: readonly EdgeFact[];
  /** The resources behind the users and resources that conditions name, by the named id. */
  namedResources: Readonly<Record<string, string>>;
  /** The results that other systems have posted in the current round of the task, newest first. */
  results: readonly ResultFact[];
}

export interface ApprovalFact {
  id: string;
  approver_id: string;
  /**
   * Who answers for the approval, as resources: the person behind the approver, and for that of an agent also the manager
   * of the time (see `people_behind`).
   */
  people: readonly string[];
  verdict: string;
  role: string | null;
  /** Whether the approver held the role when giving the approval; null without a role. */
  role_held: boolean | null;
  /** Whether the content has changed since the approval. */
  stale: boolean;
  /** Whether the approval was given in the current round of the task. */
  in_round: boolean;
  /** The admin who dismissed the rejection, if any. */
  dismissed_by: string | null;
  /** Whether the approver was a member of the endeavour when giving the approval. */
  was_member: boolean;
  /** Whether the approver has lost the membership in which it was given, and no author took it. */
  is_lifted: boolean;
  /** The person who ended that membership. */
  ended_by: string | null;
  /** Whether that person was an author of the task then; null if it was not stored then. */
  ended_by_author: boolean | null;
  /** Of an objection: the roles that the approver has in the endeavour in which it was given. */
  held_roles: string[];
  /** The roles that an author of the task took from the approver, and for which an objection counts on. */
  kept_roles: string[];
  /** Whether the approver was an author of the task when giving the approval. */
  was_author: boolean;
  /** Of an objection: the type of the approver's account when giving it; null if it was not stored then. */
  giver_type: string | null;
  /** The current type of the approver's account. */
  user_type: string | null;
  /** Whether the approver's account is active now. */
  is_active: boolean;
  /** The approver's current rank in the endeavour, 1 (viewer) to 4 (owner); 0 without a role. */
  rank: number;
  stakeholder_roles: string[];
}

interface EdgeFact {
  role: 'part' | 'blocker';
  /** The other task. */
  id: string;
  /** Whether the relation has been deleted, or one of the tasks moved away. */
  is_lost: boolean;
  /** The person who did so last, and whether as an admin. */
  lost_by: string | null;
  by_admin: boolean;
  /** Whether that person was an author of the task then; null if it was not stored then. */
  by_author: boolean | null;
}

interface ArtifactFact {
  id: string;
  tags: string[];
  result: unknown;
  created_at: string;
}

export interface ResultFact {
  id: string;
  name: string;
  passed: boolean;
  detail: string | null;
  posted_by: string;
  /** The person behind `posted_by`, as a resource. */
  person_id: string;
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
