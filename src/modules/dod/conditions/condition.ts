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
  /** Creator, assignee and, where a team is assigned, its members: their approval is no review. */
  authors: readonly string[];
  /** The current approvals of the content as it is, the newest first. */
  approvals: readonly ApprovalFact[];
  /** The living comments on it. */
  comments: readonly string[];
  /** What belongs to it, the newest first. */
  artifacts: readonly ArtifactFact[];
  /** Seconds spent in each status so far. */
  secondsIn: Readonly<Partial<Record<TaskStatus, number>>>;
  /** What checks of other systems said, the newest first. */
  results: readonly ResultFact[];
}

export interface ApprovalFact {
  id: string;
  approver_id: string;
  verdict: string;
  role: string | null;
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
}

/** What one condition comes to for a task. */
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
