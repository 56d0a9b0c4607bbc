import type { Name, Place } from './people.js';
import type { Truth } from './truth.js';

export interface Condition {
  id: string;
  type: string;
  label?: string;
  params: Record<string, unknown>;
}

/** A version of a policy. */
export interface Policy {
  id: string;
  conditions: Condition[];
  /** The number of conditions that must pass; all if undefined. */
  quorum?: number;
}

/** What a person did about evidence, and whether that person was excluded as an author then. */
export interface Act {
  by: Name;
  wasAuthor: Truth;
}

export interface Approval {
  id: string;
  by: Name;
  verdict: string;
  role: string | null;
  at: number;
  round: number;
  roleHeld: boolean;
  /** The manager that an agent had; otherwise the approver. */
  person: Name;
  place: Place;
  /** The roles that the approver has now in that place. */
  held: string[];
  /** The roles that an author took from the approver, for which an objection counts on. */
  kept: string[];
  /** Whether the approver was an author, for the policy then in force, and without and with a condition on the summary. */
  wasAuthor: { atTheTime: Truth; plain: Truth; withSummary: Truth };
  isDismissed: boolean;
  /** Whether the approver has lost the membership there at all, and whether someone who is not an author took it. */
  hasEnded: boolean;
  isLifted: boolean;
}

/** A test report, which belongs to the task by its task_id or by relations. */
export interface Report {
  id: string;
  passed: boolean;
  round: number;
  place: Place;
  isLiving: boolean;
  hasTaskId: boolean;
  /** Relations, each with the place of the task when it was made. */
  ties: { relation: string; place: Place; isAlive: boolean; isByMember: boolean }[];
}

/** Another task that is a child of the task or blocks it. */
export interface Other {
  id: string;
  kind: 'child' | 'blocker';
  relation: string;
  place: Place;
  status: string;
  hasEdge: boolean;
  /** Who last deleted the edge or moved one of its ends away, and in which round. */
  separated?: Act & { round: number; wasAdmin: boolean };
}

export interface Assignment {
  to: Name;
  by: Name;
  from: number;
  until: number;
  begun: number;
  ended: number;
  writers: { who: Name; at: number }[];
}

export type Part = 'text' | 'checklist' | 'acceptance' | 'result_summary' | 'colour';

export interface Change {
  at: number;
  part: Part;
  by: Name;
  /** Whether it was approved content under the policy in force at that time. */
  wasApproved: boolean;
}

export interface Attestation {
  /** The conditions attested, by id, prompt and label. */
  conditions: Set<string>;
  at: number;
  round: number;
  hasLapsed: boolean;
}
