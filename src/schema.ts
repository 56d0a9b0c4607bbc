import { EndeavourMember } from './access/endeavour-member.entity.js';
import { OrganizationEndeavour } from './access/organization-endeavour.entity.js';
import { OrganizationResource } from './access/organization-resource.entity.js';
import { Session } from './access/session.entity.js';
import { Entities1763700000001 } from './migrations/1763700000001-entities.js';
import { People1763700000002 } from './migrations/1763700000002-people.js';
import { Containers1763700000003 } from './migrations/1763700000003-containers.js';
import { Work1763700000004 } from './migrations/1763700000004-work.js';
import { Alerts1763700000300 } from './migrations/1763700000300-alerts.js';
import { ContainerSearch1763700000301 } from './migrations/1763700000301-container-search.js';
import { Accounts1763700000101 } from './migrations/1763700000101-accounts.js';
import { Outbox1763700000201 } from './migrations/1763700000201-outbox.js';
import { Jobs1763700000202 } from './migrations/1763700000202-jobs.js';
import { Demands1763700000401 } from './migrations/1763700000401-demands.js';
import { Resources1763700000402 } from './migrations/1763700000402-resources.js';
import { Quorum1763700000403 } from './migrations/1763700000403-quorum.js';
import { Relations1763700000404 } from './migrations/1763700000404-relations.js';
import { Messages1763700000500 } from './migrations/1763700000500-messages.js';
import { Templates1763700000601 } from './migrations/1763700000601-templates.js';
import { BuiltInReports1763700000602 } from './migrations/1763700000602-built-in-reports.js';
import { Rituals1763700000603 } from './migrations/1763700000603-rituals.js';
import { BuiltInRituals1763700000604 } from './migrations/1763700000604-built-in-rituals.js';
import { Dependants1763700000501 } from './migrations/1763700000501-dependants.js';
import { Artifacts1763700000502 } from './migrations/1763700000502-artifacts.js';
import { Comments1763700000503 } from './migrations/1763700000503-comments.js';
import { Approvals1763700000504 } from './migrations/1763700000504-approvals.js';
import { Approval } from './modules/approvals/approval.entity.js';
import { Artifact } from './modules/artifacts/artifact.entity.js';
import { DodPolicies1763700000700 } from './migrations/1763700000700-dod-policies.js';
import { DodChecks1763700000701 } from './migrations/1763700000701-dod-checks.js';
import { Creators1763700000800 } from './migrations/1763700000800-creators.js';
import { Places1763700000801 } from './migrations/1763700000801-places.js';
import { Holds1763700000802 } from './migrations/1763700000802-holds.js';
import { CommentMention } from './modules/comments/comment-mention.entity.js';
import { CommentText } from './modules/comments/comment-text.entity.js';
import { Comment } from './modules/comments/comment.entity.js';
import { SignUp } from './modules/auth/sign-up.entity.js';
import { Demand } from './modules/demands/demand.entity.js';
import { DodCheck } from './modules/dod/check.entity.js';
import { Endorsement } from './modules/dod/endorsement.entity.js';
import { Policy } from './modules/dod/policy.entity.js';
import { DodResult } from './modules/dod/result.entity.js';
import { Endeavour } from './modules/endeavours/endeavour.entity.js';
import { Invitation } from './modules/invitations/invitation.entity.js';
import { MessageDelivery } from './modules/messages/message-delivery.entity.js';
import { Message } from './modules/messages/message.entity.js';
import { AlertTerm } from './modules/organizations/alert-term.entity.js';
import { Alert } from './modules/organizations/alert.entity.js';
import { Organization } from './modules/organizations/organization.entity.js';
import { Relation } from './modules/relations/relation.entity.js';
import { QuorumVote } from './modules/resources/quorum-vote.entity.js';
import { Resource } from './modules/resources/resource.entity.js';
import { TeamMember } from './modules/resources/team-member.entity.js';
import { RitualRun } from './modules/rituals/ritual-run.entity.js';
import { Ritual } from './modules/rituals/ritual.entity.js';
import { TaskStatusStay } from './modules/tasks/task-status.entity.js';
import { Task } from './modules/tasks/task.entity.js';
import { Code } from './modules/users/code.entity.js';
import { Template } from './modules/templates/template.entity.js';
import { User } from './modules/users/user.entity.js';
import { EventRow } from './platform/changes/event-row.entity.js';
import type { Schema } from './platform/database/data-source.js';
import { EntityRow } from './platform/database/entity-row.entity.js';
import { IdempotencyKey } from './platform/http/idempotency-key.entity.js';
import { RateCounter } from './platform/limits/rate-counter.entity.js';
import { JobRow } from './platform/jobs/job.entity.js';
import { OutboxMail } from './platform/mail/outbox-mail.entity.js';

/** Every table and every step that led to it, oldest first. */
export const SCHEMA: Schema = {
  entities: [
    EntityRow,
    EventRow,
    IdempotencyKey,
    OutboxMail,
    JobRow,
    RateCounter,
    User,
    Resource,
    TeamMember,
    QuorumVote,
    Session,
    Code,
    SignUp,
    Invitation,
    Organization,
    AlertTerm,
    Alert,
    OrganizationResource,
    OrganizationEndeavour,
    Endeavour,
    EndeavourMember,
    Demand,
    Task,
    TaskStatusStay,
    Relation,
    Template,
    Ritual,
    RitualRun,
    Policy,
    Endorsement,
    DodCheck,
    DodResult,
    Artifact,
    Comment,
    CommentText,
    CommentMention,
    Approval,
    Message,
    MessageDelivery,
  ],
  migrations: [
    Entities1763700000001,
    People1763700000002,
    Containers1763700000003,
    Work1763700000004,
    Accounts1763700000101,
    Outbox1763700000201,
    Jobs1763700000202,
    Alerts1763700000300,
    ContainerSearch1763700000301,
    Demands1763700000401,
    Resources1763700000402,
    Quorum1763700000403,
    Relations1763700000404,
    Messages1763700000500,
    Dependants1763700000501,
    Artifacts1763700000502,
    Comments1763700000503,
    Approvals1763700000504,
    Templates1763700000601,
    BuiltInReports1763700000602,
    Rituals1763700000603,
    BuiltInRituals1763700000604,
    DodPolicies1763700000700,
    DodChecks1763700000701,
    Creators1763700000800,
    Places1763700000801,
    Holds1763700000802,
  ],
};
